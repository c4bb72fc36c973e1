/** Reads the untrusted chunks of a streamed chat answer in OpenAI's dialect. */
import type {
  ChatCall,
  ChatDelta,
  ChatEvent,
  ChatServingInfo,
  ChatMetadata
} from "../ChatCapability.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { isObject } from "../../values/json/isObject.ts"
import type { EventReader } from "../transport/EventDecoder.ts"
import {
  findChoiceFailure,
  parseFinishReasons,
  parseIndex,
  toInvalidAnswer,
  isShortText,
  parseServingInfo,
  maxChoices,
  tooManyChoicesMessage
} from "./parseChatReply.ts"
import { type CostParser, parseChatUsage } from "./parseChatUsage.ts"

/**
 * Only `[DONE]` completes a stream: one that is closed after its finish reason, or even its usage, may be truncated. A
 * complete stream without an answer is an `invalid_answer`.
 */
export const makeChatEventReader = (
  parseCost?: CostParser,
  onUsage?: ChatCall["onUsage"]
): EventReader<ChatEvent> => {
  let metadata: ChatMetadata = {}
  let servingInfo: ChatServingInfo = {}
  let seenFingerprint: unknown
  let seenTier: unknown
  let answered = false
  return {
    read: (json) => {
      const { choices, id, model, service_tier, system_fingerprint, usage } = json
      // Some providers report it with every chunk; the last one counts.
      const parsedUsage = isObject(usage) ? parseChatUsage(usage, parseCost) : undefined
      if (parsedUsage?.usage !== undefined) {
        metadata = { ...metadata, ...parsedUsage }
        onUsage?.(parsedUsage.usage)
      }
      if (metadata.model === undefined && typeof model === "string" && model !== "") {
        metadata = { ...metadata, model }
      }
      if (metadata.id === undefined && isShortText(id)) metadata = { ...metadata, id }
      if (system_fingerprint !== seenFingerprint || service_tier !== seenTier) {
        seenFingerprint = system_fingerprint
        seenTier = service_tier
        servingInfo = { ...servingInfo, ...parseServingInfo(json) }
      }
      const failure = findEmbeddedFailure(json, metadata.usage)
      if (failure !== undefined || !Array.isArray(choices)) return failure
      if (choices.length > maxChoices) return toInvalidAnswer(tooManyChoicesMessage, metadata.usage)
      let deltas: Array<ChatDelta> | undefined
      for (let position = 0; position < choices.length; position++) {
        const choice: unknown = choices[position]
        if (!isObject(choice)) continue
        const failed = findChoiceFailure(choice, metadata.usage)
        if (failed !== undefined) return failed
        const delta = parseDelta(choice, position)
        if (delta === undefined) continue
        if (deltas === undefined) deltas = [delta]
        else deltas.push(delta)
      }
      if (deltas === undefined) return undefined
      answered = true
      if (parsedUsage?.usage === undefined) onUsage?.(undefined)
      return { type: "delta", choices: deltas, ...servingInfo }
    },
    done: () =>
      answered
        ? { type: "end", ...metadata, ...servingInfo }
        : toInvalidAnswer("the stream holds no answer", metadata.usage)
  }
}

/** Undefined when it is empty, like the first chunk of most providers, which has only the role. */
const parseDelta = (
  choice: Readonly<Record<string, unknown>>,
  position: number
): ChatDelta | undefined => {
  const { logprobs } = choice
  const { finishReason, nativeFinishReason } = parseFinishReasons(choice)
  const delta = omitRole(isObject(choice["delta"]) ? choice["delta"] : {})
  const silent = logprobs === undefined || logprobs === null
  if (finishReason === null && silent && isEmpty(delta)) return undefined
  return {
    index: parseIndex(choice, position),
    delta,
    finishReason,
    ...(nativeFinishReason === undefined ? undefined : { nativeFinishReason }),
    ...(silent ? undefined : { logprobs })
  }
}

const omitRole = (delta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  if (!Object.hasOwn(delta, "role")) return delta
  const { role: _, ...rest } = delta
  return rest
}

const isEmpty = (delta: Readonly<Record<string, unknown>>): boolean => {
  for (const key in delta) {
    const value = delta[key]
    if (value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
      return false
  }
  return true
}
