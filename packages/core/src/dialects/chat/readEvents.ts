/** Reads the untrusted chunks of a streamed chat answer in OpenAI's dialect. */
import type { AnswerEnd, AnswerEvent, TextEvent, ThoughtEvent } from "../../conversation/Answer.ts"
import type {
  ChatCall,
  ChatDelta,
  ChatDeltaEvent,
  ChatEvent,
  ChatServingInfo,
  ChatMetadata
} from "../../engine/upstreams/ChatCapability.ts"
import { findRandom } from "../../engine/upstreams/callIdStems.ts"
import { findEmbeddedFailure } from "../../engine/upstreams/failures/findEmbeddedFailure.ts"
import { isObject } from "../../values/json/guards.ts"
import type { EventReader } from "../../engine/upstreams/transport/EventDecoder.ts"
import { withPages, writeListedPages } from "./annotations.ts"
import { AnswerReader, isUnusual, mayBeTagged, withReasoning } from "./AnswerReader.ts"
import { mayBeginCall } from "./TextCalls.ts"
import { hasBlocks } from "./thinkingBlocks.ts"
import { needsFinish, toFinish } from "./finishReasons.ts"
import {
  type ChatReadOptions,
  findChoiceFailure,
  parseFinishReasons,
  parseIndex,
  toInvalidAnswer,
  isShortText,
  parseServingInfo,
  maxChoices,
  tooManyChoicesMessage
} from "./readAnswer.ts"
import { isOtherReasoning, isReasoningField } from "./reasoningText.ts"
import { findCitedCalls } from "../../conversation/serverTools/readsByItself.ts"
import { findChatUsage } from "./findChatUsage.ts"
import {
  type CostParser,
  parseChatUsage
} from "../../engine/upstreams/openaiChat/parseChatUsage.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * `[DONE]` completes a stream, and so does its end if each choice has its finish reason: some servers send no `[DONE]`. A
 * complete stream without an answer is an `invalid_answer`.
 */
export const makeChatEventReader = (
  parseCost?: CostParser,
  onUsage?: ChatCall["onUsage"],
  onReport?: ChatCall["onReport"],
  { isTool, keepsFunctionCall = false, readsThinkTags = false }: ChatReadOptions = {}
): EventReader<ChatEvent> => {
  let metadata: ChatMetadata = {}
  let servingInfo: ChatServingInfo = {}
  let seenFingerprint: unknown
  let seenTier: unknown
  /** The indices of the choices so far, and of those with a finish reason. */
  const begun = new Set<number>()
  const finished = new Set<number>()
  /** The pages listed beside the choices, in the form of `annotations`. */
  let pages = noPages
  let last: ChatDeltaEvent | undefined
  /** Whether the last event says what was written, so that the next one may be read without parsing it. */
  let isPlain = true
  /** Only of choices with something that servers write in their own ways. */
  let readers: Map<number, AnswerReader> | undefined
  const random = findRandom()
  const getReader = (index: number): AnswerReader => {
    readers ??= new Map()
    let reader = readers.get(index)
    if (reader === undefined) {
      readers.set(index, (reader = new AnswerReader({ random, keepsFunctionCall, isTool })))
    }
    return reader
  }
  /** The choices that have begun to say something. */
  const said = new Set<number>()
  const beginsTagged = (index: number, delta: Json): boolean => {
    if (!readsThinkTags || said.has(index)) return false
    const isTagged = mayBeTagged(delta)
    if (isTagged || !isEmpty(delta)) said.add(index)
    return isTagged
  }
  /** The choices that have begun to say a text or a call. */
  const answered = new Set<number>()
  const beginsCalled = (index: number, { content, tool_calls }: Json): boolean => {
    if (isTool === undefined || answered.has(index)) return false
    const isBlank = typeof content !== "string" || content.trim() === ""
    // The next event is not read as this one is.
    if (isBlank && content !== "" && typeof content === "string") isPlain = false
    if (!isBlank || hasBlocks(tool_calls)) answered.add(index)
    return mayBeginCall(content)
  }
  /** A server of this dialect tells what it has searched or read by what it cites. */
  const countCited = (annotations: unknown): void => {
    if (metadata.serverCalls !== undefined) return
    const serverCalls = findCitedCalls(annotations)
    if (serverCalls === undefined) return
    metadata = { ...metadata, serverCalls }
    onReport?.({ ...metadata, ...servingInfo })
  }
  /** Undefined: it says nothing. */
  const readDelta = (written: WrittenDelta): ChatDelta | undefined => {
    const { delta, end, index, logprobs } = written
    const isPlainEnd = end === undefined || (readers === undefined && !needsFinish(end.reason))
    const isTagged = beginsTagged(index, delta)
    const isCalled = beginsCalled(index, delta) || (isTagged && isTool !== undefined)
    if (isPlainEnd && !isTagged && !isCalled && readers?.get(index)?.splitsText !== true) {
      const events = findPlainEvents(delta)
      if (events !== undefined) {
        return { index, events, ...omitAbsent(end, logprobs), ...toNative(delta, events) }
      }
    }
    countCited(delta["annotations"])
    if (isTagged || isCalled || isUnusual(delta) || !isPlainEnd) isPlain = false
    const reader = getReader(index)
    if (isTagged) reader.expectTags()
    if (isCalled) reader.expectCalls()
    const { events, native } = reader.readDelta(delta, end !== undefined)
    const keepsEnd = end === undefined || (keepsFunctionCall && end.reason === "function_call")
    const finish = keepsEnd ? end : toFinish(end, reader.hasCalls)
    return end !== undefined || !isEmpty(native) || logprobs !== undefined
      ? { index, events, ...omitAbsent(finish, logprobs), native }
      : undefined
  }
  const toEnd = (): ChatEvent => ({ type: "end", ...metadata, ...servingInfo })
  /** The end, after what choices still have to say that have no reason for theirs. */
  const finishCalls = (): ChatEvent | ReadonlyArray<ChatEvent> => {
    const deltas: Array<ChatDelta> = []
    for (const [index, reader] of readers ?? []) {
      if (finished.has(index) || !(reader.hasCalls || reader.splitsText)) continue
      const rest = reader.readDelta({}, true)
      deltas.push({
        index,
        ...rest,
        ...(reader.hasCalls ? { end: { reason: "tool_calls" } } : undefined)
      })
    }
    const end = toEnd()
    return deltas.length === 0 ? end : [{ type: "delta", choices: deltas, ...servingInfo }, end]
  }
  return {
    read: (json) => {
      last = undefined
      isPlain = true
      const { choices, id, model, service_tier, system_fingerprint } = json
      // Some providers report it with every chunk; the last one counts.
      const usage = findChatUsage(json)
      const parsedUsage = usage === undefined ? undefined : parseChatUsage(usage, parseCost)
      if (parsedUsage?.usage !== undefined) {
        metadata = { ...metadata, ...parsedUsage }
        onUsage?.(parsedUsage.usage)
      }
      let isTold = parsedUsage?.cost !== undefined
      if (metadata.model === undefined && typeof model === "string" && model !== "") {
        metadata = { ...metadata, model }
        isTold = true
      }
      if (metadata.id === undefined && isShortText(id)) metadata = { ...metadata, id }
      if (system_fingerprint !== seenFingerprint || service_tier !== seenTier) {
        seenFingerprint = system_fingerprint
        seenTier = service_tier
        servingInfo = { ...servingInfo, ...parseServingInfo(json) }
        isTold = true
      }
      if (isTold) onReport?.({ ...metadata, ...servingInfo })
      const failure = findEmbeddedFailure(json, metadata.usage)
      if (failure !== undefined || !Array.isArray(choices)) return failure
      if (choices.length > maxChoices) return toInvalidAnswer(tooManyChoicesMessage, metadata.usage)
      if (citesPages(json)) pages = writeListedPages(json)
      let deltas: Array<ChatDelta> | undefined
      for (let position = 0; position < choices.length; position++) {
        const choice: unknown = choices[position]
        if (!isObject(choice)) continue
        const failed = findChoiceFailure(choice, metadata.usage)
        if (failed !== undefined) return failed
        const written = parseDelta(choice, position, begun, finished.size === 0 ? pages : noPages)
        if (written === undefined) continue
        const delta = readDelta(written)
        if (delta === undefined) continue
        begun.add(delta.index)
        if (delta.end !== undefined) finished.add(delta.index)
        if (deltas === undefined) deltas = [delta]
        else deltas.push(delta)
      }
      if (deltas === undefined) return undefined
      if (parsedUsage?.usage === undefined && deltas.some(hasContent)) onUsage?.(undefined)
      last = { type: "delta", choices: deltas, ...servingInfo }
      return last
    },
    findText: (json) => {
      const event = isPlain ? last : undefined
      const choice = event?.choices[0]
      const said = choice?.events[0]
      const found = isObject(json["usage"]) ? undefined : findDeltaText(json["choices"])
      if (event === undefined || choice === undefined || found === undefined) return undefined
      if (said === undefined || choice.events.length > 1 || !isText(said)) return undefined
      const { name, text } = found
      if (said.type === "text" ? name !== "content" : !isReasoningField(name)) return undefined
      const { native, ...rest } = choice
      // Written out, because objects that are made by spreading others are larger.
      if (said.type === "text" && isBare(event) && isBare(choice)) {
        const { index } = choice
        return {
          text,
          read: (other) => ({
            type: "delta",
            choices: [{ index, events: [{ type: "text", text: other }] }]
          })
        }
      }
      return {
        text,
        read: (other) => {
          const events = [{ ...said, text: other }]
          const read =
            native === undefined
              ? { ...rest, events }
              : { ...rest, events, native: { ...native, ...toField(name, other) } }
          return { ...event, choices: [read] }
        }
      }
    },
    done: () =>
      begun.size > 0
        ? finishCalls()
        : toInvalidAnswer("the stream holds no answer", metadata.usage),
    end: () => (begun.size > 0 && begun.size === finished.size ? toEnd() : undefined)
  }
}

/** Whether it has the two fields alone that every event, and every piece of a choice, has. */
const isBare = (said: ChatDelta | ChatDeltaEvent): boolean => Object.keys(said).length === 2

/** A delta as it was written, without its role. */
interface WrittenDelta {
  readonly index: number
  readonly delta: Json
  readonly end: AnswerEnd | undefined
  readonly logprobs: unknown
}

/** Undefined when it is empty, like the first chunk of most providers, which has only the role. */
const parseDelta = (
  choice: Json,
  position: number,
  begun: ReadonlySet<number>,
  pages: ReadonlyArray<Json>
): WrittenDelta | undefined => {
  const logprobs = choice["logprobs"] ?? undefined
  const finish = parseFinishReasons(choice)
  const index = parseIndex(choice, position)
  const delta = withReasoning(omitRole(findDelta(choice, begun.has(index))))
  if (finish.reason !== null) {
    return { index, delta: withPages(delta, pages), end: finish, logprobs }
  }
  return logprobs === undefined && isEmpty(delta)
    ? undefined
    : { index, delta, end: undefined, logprobs }
}

/** The events of a delta with a text alone, or with nothing; undefined: it has more. */
const findPlainEvents = (delta: Json): ReadonlyArray<AnswerEvent> | undefined => {
  let text: string | undefined
  for (const name in delta) {
    const value = delta[name]
    if (value === null || value === undefined || value === "") continue
    if (name !== "content" || typeof value !== "string") {
      if (Array.isArray(value) && value.length === 0) continue
      return undefined
    }
    text = value
  }
  return text === undefined ? noEvents : [{ type: "text", text }]
}

const noPages: ReadonlyArray<Json> = []

const citesPages = ({ citations, search_results: results }: Json): boolean =>
  Array.isArray(citations) || Array.isArray(results)

const noEvents: ReadonlyArray<AnswerEvent> = []

/** Undefined when the delta has only its text. */
const toNative = (
  delta: Json,
  events: ReadonlyArray<AnswerEvent>
): Pick<ChatDelta, "native"> | undefined => {
  let fields = 0
  for (const _ in delta) fields++
  return fields === events.length ? undefined : { native: delta }
}

const omitAbsent = (
  end: AnswerEnd | undefined,
  logprobs: unknown
): Pick<ChatDelta, "end" | "logprobs"> | undefined =>
  end === undefined && logprobs === undefined
    ? undefined
    : {
        ...(end === undefined ? undefined : { end }),
        ...(logprobs === undefined ? undefined : { logprobs })
      }

const isText = (event: AnswerEvent): event is TextEvent | ThoughtEvent =>
  event.type === "text" || event.type === "thought"

/** Another text of a delta, with what `withReasoning` adds to it. */
const toField = (name: string, text: string): Readonly<Record<string, string>> =>
  isOtherReasoning(name) ? { [name]: text, reasoning: text } : { [name]: text }

/** Some servers write a whole message instead, or once more at the end. */
const findDelta = ({ delta, message }: Json, hasBegun: boolean): Json => {
  if (isObject(delta)) return delta
  return isObject(message) && !hasBegun ? message : {}
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

const hasContent = ({ events, native }: ChatDelta): boolean =>
  events.length > 0 || (native !== undefined && !isEmpty(native))

const omitRole = (delta: Json): Json => {
  if (!Object.hasOwn(delta, "role")) return delta
  const { role: _, ...rest } = delta
  return rest
}

const isEmpty = (delta: Json): boolean => {
  for (const key in delta) {
    const value = delta[key]
    if (value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
      return false
  }
  return true
}
