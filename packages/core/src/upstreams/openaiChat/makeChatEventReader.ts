/** Reads the untrusted chunks of a streamed chat answer in OpenAI's dialect. */
import type {
  ChatCall,
  ChatDelta,
  ChatDeltaEvent,
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
 * `[DONE]` completes a stream, and so does its end if each choice has its finish reason: some servers send no `[DONE]`. A
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
  /** The indices of the choices so far, and of those with a finish reason. */
  const begun = new Set<number>()
  const finished = new Set<number>()
  let last: ChatDeltaEvent | undefined
  const toEnd = (): ChatEvent => ({ type: "end", ...metadata, ...servingInfo })
  return {
    read: (json) => {
      last = undefined
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
        begun.add(delta.index)
        if (delta.finishReason !== null) finished.add(delta.index)
        if (deltas === undefined) deltas = [delta]
        else deltas.push(delta)
      }
      if (deltas === undefined) return undefined
      if (parsedUsage?.usage === undefined) onUsage?.(undefined)
      last = { type: "delta", choices: deltas, ...servingInfo }
      return last
    },
    findText: (json) => {
      const event = last
      const choice = event?.choices[0]
      const found = isObject(json["usage"]) ? undefined : findDeltaText(json["choices"])
      if (event === undefined || choice === undefined || found === undefined) return undefined
      const { name, text } = found
      return {
        text,
        read: (other) => ({
          ...event,
          choices: [{ ...choice, delta: { ...choice.delta, [name]: other } }]
        })
      }
    },
    done: () =>
      begun.size > 0 ? toEnd() : toInvalidAnswer("the stream holds no answer", metadata.usage),
    end: () => (begun.size > 0 && begun.size === finished.size ? toEnd() : undefined)
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

/** The text of an only choice. */
const findDeltaText = (
  choices: unknown
): { readonly name: string; readonly text: string } | undefined => {
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined
  const delta = isObject(choice) ? choice["delta"] : undefined
  if (!isObject(delta)) return undefined
  for (const name in delta) {
    const text = delta[name]
    if (typeof text === "string" && text !== "" && name !== "role") return { name, text }
  }
  return undefined
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
