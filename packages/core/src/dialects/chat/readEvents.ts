/** Reads the untrusted chunks of a streamed chat answer in OpenAI's dialect. */
import type {
  ChatCall,
  ChatDelta,
  ChatDeltaEvent,
  ChatEvent,
  ChatServingInfo,
  ChatMetadata
} from "../../engine/upstreams/ChatCapability.ts"
import { findRandom } from "../../engine/upstreams/callIdStems.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { findEmbeddedFailure } from "../../engine/upstreams/failures/findEmbeddedFailure.ts"
import { isObject } from "../../values/json/guards.ts"
import type { EventReader } from "../../engine/upstreams/transport/EventDecoder.ts"
import { writeListedPages } from "./annotations.ts"
import { AnswerReader, isUnusual, mayBeTagged } from "./AnswerReader.ts"
import { mayBeginCall } from "./TextCalls.ts"
import { hasBlocks } from "./thinkingBlocks.ts"
import { needsFinish, toFinish } from "./finishReasons.ts"
import {
  type ChatReadOptions,
  findChatUsage,
  findChoiceFailure,
  toInvalidAnswer,
  isShortText,
  parseServingInfo,
  maxChoices,
  tooManyChoicesMessage
} from "./readAnswer.ts"
import { isReasoningField } from "./reasoningText.ts"
import { findCitedCalls } from "../../conversation/serverTools/readsByItself.ts"
import {
  type CostParser,
  parseChatUsage
} from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import {
  type WrittenDelta,
  parseDelta,
  findPlainEvents,
  noPages,
  citesPages,
  toNative,
  omitAbsent,
  isText,
  toField,
  findDeltaText,
  hasContent,
  isEmpty
} from "./readDelta.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * `[DONE]` completes a stream, and so does its end if each choice has its finish reason: some servers send no `[DONE]`. A
 * complete stream without an answer is an `invalid_answer`. A class, because every open stream has one.
 */
export class ChatEventReader implements EventReader<ChatEvent> {
  readonly #parseCost: CostParser | undefined
  readonly #onUsage: ChatCall["onUsage"]
  readonly #onReport: ChatCall["onReport"]
  readonly #options: ChatReadOptions
  #metadata: ChatMetadata = {}
  #servingInfo: ChatServingInfo = {}
  #seenFingerprint: unknown
  #seenTier: unknown
  /** What is known of each choice, as a sum of `began`, `finished`, `said` and `answered`: one map, where each would need a set. */
  readonly #choices = new Map<number, number>()
  #begun = 0
  #finished = 0
  /** The pages listed beside the choices, in the form of `annotations`. */
  #pages = noPages
  #last: ChatDeltaEvent | undefined
  /** Whether the last event says what was written, so that the next one may be read without parsing it. */
  #isPlain = true
  /** Only of choices with something that servers write in their own ways. */
  #readers: Map<number, AnswerReader> | undefined
  readonly #random = findRandom()

  constructor(
    parseCost?: CostParser,
    onUsage?: ChatCall["onUsage"],
    onReport?: ChatCall["onReport"],
    options: ChatReadOptions = {}
  ) {
    this.#parseCost = parseCost
    this.#onUsage = onUsage
    this.#onReport = onReport
    this.#options = options
  }

  read(json: Json): ReturnType<EventReader<ChatEvent>["read"]> {
    this.#last = undefined
    this.#isPlain = true
    const { choices, id, model, service_tier, system_fingerprint } = json
    // Some providers report it with every chunk; the last one counts.
    const usage = findChatUsage(json)
    const parsedUsage = usage === undefined ? undefined : parseChatUsage(usage, this.#parseCost)
    if (parsedUsage?.usage !== undefined) {
      this.#metadata = { ...this.#metadata, ...parsedUsage }
      this.#onUsage?.(parsedUsage.usage)
    }
    let isTold = parsedUsage?.cost !== undefined
    if (this.#metadata.model === undefined && typeof model === "string" && model !== "") {
      this.#metadata = { ...this.#metadata, model }
      isTold = true
    }
    if (this.#metadata.id === undefined && isShortText(id))
      this.#metadata = { ...this.#metadata, id }
    if (system_fingerprint !== this.#seenFingerprint || service_tier !== this.#seenTier) {
      this.#seenFingerprint = system_fingerprint
      this.#seenTier = service_tier
      this.#servingInfo = { ...this.#servingInfo, ...parseServingInfo(json) }
      isTold = true
    }
    if (isTold) this.#onReport?.({ ...this.#metadata, ...this.#servingInfo })
    const failure = findEmbeddedFailure(json, this.#metadata.usage)
    if (failure !== undefined || !Array.isArray(choices)) return failure
    if (choices.length > maxChoices)
      return toInvalidAnswer(tooManyChoicesMessage, this.#metadata.usage)
    if (citesPages(json)) this.#pages = writeListedPages(json)
    let deltas: Array<ChatDelta> | undefined
    for (let position = 0; position < choices.length; position++) {
      const choice: unknown = choices[position]
      if (!isObject(choice)) continue
      const failed = findChoiceFailure(choice, this.#metadata.usage)
      if (failed !== undefined) return failed
      const written = parseDelta(
        choice,
        position,
        this.#hasBegun,
        this.#finished === 0 ? this.#pages : noPages
      )
      if (written === undefined) continue
      const delta = this.#readDelta(written)
      if (delta === undefined) continue
      if (this.#mark(delta.index, began)) this.#begun++
      if (delta.end !== undefined && this.#mark(delta.index, finished)) this.#finished++
      if (deltas === undefined) deltas = [delta]
      else deltas.push(delta)
    }
    if (deltas === undefined) return undefined
    if (parsedUsage?.usage === undefined && deltas.some(hasContent)) this.#onUsage?.(undefined)
    this.#last = { type: "delta", choices: deltas, ...this.#servingInfo }
    return this.#last
  }

  findText(json: Json): ReturnType<NonNullable<EventReader<ChatEvent>["findText"]>> {
    const event = this.#isPlain ? this.#last : undefined
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
  }

  done(): ChatEvent | ReadonlyArray<ChatEvent> | UpstreamFailure {
    return this.#begun > 0
      ? this.#finishCalls()
      : toInvalidAnswer("the stream holds no answer", this.#metadata.usage)
  }

  end(): ChatEvent | undefined {
    return this.#begun > 0 && this.#begun === this.#finished ? this.#toEnd() : undefined
  }

  readonly #hasBegun = (index: number): boolean => this.#has(index, began)

  #has(index: number, mark: number): boolean {
    return hasMark(this.#choices, index, mark)
  }

  /** False: it had that mark. */
  #mark(index: number, mark: number): boolean {
    if (this.#has(index, mark)) return false
    this.#choices.set(index, (this.#choices.get(index) ?? 0) + mark)
    return true
  }

  #getReader(index: number): AnswerReader {
    this.#readers ??= new Map()
    let reader = this.#readers.get(index)
    if (reader === undefined) {
      const { isTool, keepsFunctionCall = false } = this.#options
      reader = new AnswerReader({ random: this.#random, keepsFunctionCall, isTool })
      this.#readers.set(index, reader)
    }
    return reader
  }

  #beginsTagged(index: number, delta: Json): boolean {
    if (this.#options.readsThinkTags !== true || this.#has(index, said)) return false
    const isTagged = mayBeTagged(delta)
    if (isTagged || !isEmpty(delta)) this.#mark(index, said)
    return isTagged
  }

  #beginsCalled(index: number, { content, tool_calls }: Json): boolean {
    if (this.#options.isTool === undefined || this.#has(index, answered)) return false
    const isBlank = typeof content !== "string" || content.trim() === ""
    // The next event is not read as this one is.
    if (isBlank && content !== "" && typeof content === "string") this.#isPlain = false
    if (!isBlank || hasBlocks(tool_calls)) this.#mark(index, answered)
    return mayBeginCall(content)
  }

  /** A server of this dialect tells what it has searched or read by what it cites. */
  #countCited(annotations: unknown): void {
    if (this.#metadata.serverCalls !== undefined) return
    const serverCalls = findCitedCalls(annotations)
    if (serverCalls === undefined) return
    this.#metadata = { ...this.#metadata, serverCalls }
    this.#onReport?.({ ...this.#metadata, ...this.#servingInfo })
  }

  /** Undefined: it says nothing. */
  #readDelta(written: WrittenDelta): ChatDelta | undefined {
    const { delta, end, index, logprobs } = written
    const { isTool, keepsFunctionCall } = this.#options
    const isPlainEnd =
      end === undefined || (this.#readers === undefined && !needsFinish(end.reason))
    const isTagged = this.#beginsTagged(index, delta)
    const isCalled = this.#beginsCalled(index, delta) || (isTagged && isTool !== undefined)
    if (isPlainEnd && !isTagged && !isCalled && this.#readers?.get(index)?.splitsText !== true) {
      const events = findPlainEvents(delta)
      if (events !== undefined) {
        return { index, events, ...omitAbsent(end, logprobs), ...toNative(delta, events) }
      }
    }
    this.#countCited(delta["annotations"])
    if (isTagged || isCalled || isUnusual(delta) || !isPlainEnd) this.#isPlain = false
    const reader = this.#getReader(index)
    if (isTagged) reader.expectTags()
    if (isCalled) reader.expectCalls()
    const { events, native } = reader.readDelta(delta, end !== undefined)
    const keepsEnd =
      end === undefined || (keepsFunctionCall === true && end.reason === "function_call")
    const finish = keepsEnd ? end : toFinish(end, reader.hasCalls)
    return end !== undefined || !isEmpty(native) || logprobs !== undefined
      ? { index, events, ...omitAbsent(finish, logprobs), native }
      : undefined
  }

  /** The end, after what choices still have to say that have no reason for theirs. */
  #finishCalls(): ChatEvent | ReadonlyArray<ChatEvent> {
    const deltas: Array<ChatDelta> = []
    for (const [index, reader] of this.#readers ?? []) {
      if (this.#has(index, finished) || !(reader.hasCalls || reader.splitsText)) continue
      const rest = reader.readDelta({}, true)
      deltas.push({
        index,
        ...rest,
        ...(reader.hasCalls ? { end: { reason: "tool_calls" } } : undefined)
      })
    }
    const end = this.#toEnd()
    return deltas.length === 0
      ? end
      : [{ type: "delta", choices: deltas, ...this.#servingInfo }, end]
  }

  #toEnd(): ChatEvent {
    return { type: "end", ...this.#metadata, ...this.#servingInfo }
  }
}

/** It is in the answer. */
const began = 1
/** It has its finish reason. */
const finished = 2
/** It has begun to say something. */
const said = 4
/** It has begun to say a text or a call. */
const answered = 8

const hasMark = (choices: ReadonlyMap<number, number>, index: number, mark: number): boolean =>
  ((choices.get(index) ?? 0) & mark) !== 0

/** Whether it has the two fields alone that every event, and every piece of a choice, has. */
const isBare = (said: ChatDelta | ChatDeltaEvent): boolean => Object.keys(said).length === 2
