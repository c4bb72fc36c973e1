/**
 * Reads one choice of any server, whole or in deltas, and writes it as the dialect specifies. The sources for the
 * behaviour of servers are next to the cases of e2e/translation.
 */
import type { AnswerEvent, CallEvent, StreamedCall } from "../../conversation/AnswerEvent.ts"
import { isObject } from "../../values/json/guards.ts"
import { drawCallIdStem, type findRandom } from "../../engine/upstreams/callIdStems.ts"
import { decodeTwice, isOddStart, listCalls, readCallFields, toObjectText } from "./callFields.ts"
import {
  findSignature,
  googleFormat,
  isThought,
  splitThought,
  toDetail
} from "./googleSignatures.ts"
import { hasParts, readContent } from "./readContent.ts"
import { findMissingReasoning, findReasoningText } from "./reasoningText.ts"
import { SaidReader } from "./SaidReader.ts"
import { hasBlocks, ThinkingBlocks } from "./thinkingBlocks.ts"
import { mayBeginThought, splitLoneEnd, ThinkTags } from "./ThinkTags.ts"
import { type KnownCall, StreamedCalls, type WrittenPiece } from "./StreamedCalls.ts"
import { TextCalls, type ToolCheck } from "./TextCalls.ts"
import { toCalled, writeCall, writeCallPiece } from "./fitCalls.ts"

type Json = Readonly<Record<string, unknown>>

export interface AnswerReaderOptions {
  /** The source of ids for calls that arrive without an id. */
  readonly random: ReturnType<typeof findRandom>
  /** Whether the caller asked for calls in the form that predates tools. */
  readonly keepsFunctionCall: boolean
  /** Whether a name is that of a tool of the request; absent: it has none. */
  readonly isTool?: ToolCheck | undefined
}

/** Whether there is anything in a message or a delta that servers write in more than one way. */
export const isUnusual = (said: Json): boolean =>
  oddFields.some((field) => said[field] !== undefined && said[field] !== null) ||
  hasParts(said["content"])

const oddFields = ["tool_calls", "function_call", "extra_content", "thinking_blocks"] as const

/** Whether a first content may be a thought in tags, which servers that say thoughts elsewhere do not write. */
export const mayBeTagged = (said: Json): boolean =>
  typeof said["content"] === "string" &&
  mayBeginThought(said["content"]) &&
  findReasoningText(said) === undefined

/** A message whose content has the end of a thought in tags, but no beginning, with the thought apart. */
export const withoutLoneEnd = (message: Json): Json => {
  const { content } = message
  if (typeof content !== "string" || findReasoningText(message) !== undefined) return message
  const split = splitLoneEnd(content)
  return split.content === content ? message : { ...message, ...split }
}

/** With its thoughts where the contract has them, and where the server wrote them. */
export const withReasoning = (said: Json): Json => {
  const reasoning = findMissingReasoning(said)
  return reasoning === undefined ? said : { ...said, reasoning }
}

/** The content of a delta: as events for every caller, and as the chat dialect specifies it. */
export interface ReadDelta {
  readonly events: ReadonlyArray<AnswerEvent>
  readonly native: Json
}

/** A piece of a call in both forms. */
interface ReadCall {
  readonly event: CallEvent
  readonly native: Json
}

/** The state of a call that has been written in part. */
interface WrittenCall {
  /** Undefined until its name is known: clients cannot begin a call without one. */
  begun: { readonly index: number; readonly call: StreamedCall } | undefined
  hasText: boolean
  /** Whether the arguments begin as those that are encoded twice, so that all of them wait for the end. */
  isOdd: boolean
  /** Texts that wait for the name, or for the end. */
  readonly waiting: Array<string>
}

/** Reads one choice; other choices have readers of their own. */
export class AnswerReader {
  readonly #options: AnswerReaderOptions
  readonly #calls = new StreamedCalls()
  readonly #said = new SaidReader()
  readonly #written = new Map<KnownCall, WrittenCall>()
  /** Calls whose arguments have not begun. */
  readonly #empty = new Set<KnownCall>()
  #stem: string | undefined
  #count = 0
  #details = 0
  readonly #blocks = new ThinkingBlocks(() => this.#details++)
  #tags: ThinkTags | undefined
  #textCalls: TextCalls | undefined
  #hasToolCalls = false
  /** Whether Google's thought may end with the next content. */
  #isThinking = false

  constructor(options: AnswerReaderOptions) {
    this.#options = options
  }

  /** Whether the next content may be more than text. */
  get splitsText(): boolean {
    return this.#isThinking || this.#tags?.isOpen === true || this.#textCalls?.isOpen === true
  }

  get hasCalls(): boolean {
    return this.#count > 0
  }

  /** The next content may begin with a thought in tags. */
  expectTags(): void {
    this.#tags ??= new ThinkTags()
  }

  /** The next content, or that behind its thought, may be calls. */
  expectCalls(): void {
    const { isTool } = this.#options
    if (isTool !== undefined) this.#textCalls ??= new TextCalls(isTool)
  }

  /** A delta, without its role. `isLast`: the answer ends with it. */
  readDelta(delta: Json, isLast: boolean): ReadDelta {
    const { function_call, tool_calls, ...rest } = this.#readCalls(
      this.#readText(this.#readBlocks(delta), isLast),
      isLast
    )
    const calls = listCalls(this.#findCalls(tool_calls, function_call))
    const foreign = calls.filter(isForeign)
    const own = foreign.length === 0 ? calls : calls.filter((call) => !isForeign(call))
    const read = [
      ...this.#calls.read(own).flatMap(this.#writePiece),
      ...(isLast ? this.#finishCalls() : [])
    ]
    const pieces = [...foreign, ...read.map(({ native }) => native)]
    const native = this.#withDetails(
      {
        ...rest,
        ...this.#keepFunctionCall(function_call),
        ...(pieces.length === 0 ? undefined : { tool_calls: pieces })
      },
      pieces
    )
    return {
      events: [
        ...this.#said.read(rest),
        ...(foreign.length === 0
          ? []
          : [{ type: "opaque", dialect: "chat", raw: { tool_calls: foreign } } as const]),
        ...read.map(({ event }) => event),
        ...findSignatures(read, rest)
      ],
      native
    }
  }

  readMessage(message: Json): Json {
    const { function_call, tool_calls, ...rest } = this.#readCalls(
      this.#readText(this.#readBlocks(message), true),
      true
    )
    const ids = new Set<string>()
    const calls = listCalls(this.#findCalls(tool_calls, function_call)).flatMap((call) =>
      isObject(call) ? [this.#readCall(call, ids)] : []
    )
    this.#count += calls.length
    return this.#withDetails(
      {
        ...rest,
        ...this.#keepFunctionCall(function_call),
        ...(calls.length === 0 ? undefined : { tool_calls: calls })
      },
      calls
    )
  }

  /** With the thoughts of `thinking_blocks` where the contract has them. */
  #readBlocks(said: Json): Json {
    const { reasoning_details, thinking_blocks } = said
    if (!Array.isArray(thinking_blocks) || hasBlocks(reasoning_details)) {
      if (findReasoningText(said) !== undefined) this.#blocks.expectRepetition()
      return said
    }
    const details = this.#blocks.read(thinking_blocks)
    if (details.length === 0) return said
    const text = details.map(({ text: piece }) => (typeof piece === "string" ? piece : "")).join("")
    const isMissing = text !== "" && findReasoningText(said) === undefined
    return { ...said, ...(isMissing ? { reasoning: text } : undefined), reasoning_details: details }
  }

  /** The content as a text, and the thoughts in it beside it. `isLast`: no more content follows. */
  #readText(said: Json, isLast: boolean): Json {
    const { content, ...rest } = said
    if (hasParts(content)) {
      const { content: text, ...fields } = readContent(content)
      return { ...rest, content: text, ...fields, ...findReasoning(rest) }
    }
    const isMarked = isThought(said)
    if (typeof content === "string" && content !== "" && (isMarked || this.#isThinking)) {
      const { isOpen, reasoning, ...split } = splitThought(content, this.#isThinking, isMarked)
      this.#isThinking = isOpen
      return { ...rest, ...split, ...(reasoning === undefined ? undefined : { reasoning }) }
    }
    return this.#tags?.isOpen === true ? this.#readTags(this.#tags, said, isLast) : said
  }

  /** A call ends the open thought, too. */
  #readTags(tags: ThinkTags, said: Json, isLast: boolean): Json {
    const { content, ...rest } = said
    const text = typeof content === "string" ? content : ""
    const isEnd = isLast || hasBlocks(said["tool_calls"])
    if (text === "" && !isEnd) return said
    const split = tags.read(text, isEnd)
    const { reasoning } = split
    if (split.content === text && reasoning === "") return said
    return {
      ...rest,
      content: split.content === "" ? null : split.content,
      ...(reasoning === "" ? undefined : { reasoning })
    }
  }

  /** With the calls that are written as text. */
  #readCalls(said: Json, isLast: boolean): Json {
    const textCalls = this.#textCalls
    if (textCalls?.isOpen !== true) return said
    const { content } = said
    const text = typeof content === "string" ? content : ""
    const isText = this.hasCalls || hasBlocks(said["tool_calls"]) || isObject(said["function_call"])
    if (text === "" && !isLast && !isText) return said
    const { calls, content: rest } = textCalls.read(text, isLast, isText)
    if (rest === text && calls.length === 0) return said
    return {
      ...said,
      content: rest === "" ? null : rest,
      ...(calls.length === 0 ? undefined : { tool_calls: calls })
    }
  }

  /** The calls whose arguments are still to be said. */
  #finishCalls(): ReadonlyArray<ReadCall> {
    const pieces: Array<ReadCall> = []
    for (const known of this.#empty) {
      const { begun, waiting = [] } = this.#written.get(known) ?? {}
      const { isCustom } = known
      const waited = waiting.join("")
      if (begun === undefined || (isCustom && waited === "")) continue
      const { call, index } = begun
      const text = isCustom ? waited : toObjectText(waited)
      pieces.push({
        event: { type: "call", call, text },
        native: { index, ...toCalled(isCustom, text) }
      })
    }
    this.#empty.clear()
    return pieces
  }

  /** Servers that say both say the same. */
  #findCalls(toolCalls: unknown, functionCall: unknown): unknown {
    const calls = toolCalls === null ? undefined : toolCalls
    if (calls !== undefined) this.#hasToolCalls = true
    if (this.#hasToolCalls || !isObject(functionCall) || this.#options.keepsFunctionCall) {
      return calls
    }
    return [{ index: 0, function: functionCall }]
  }

  #keepFunctionCall(functionCall: unknown): Json | undefined {
    if (!isObject(functionCall) || !this.#options.keepsFunctionCall) return undefined
    const { text } = readCallFields(functionCall)
    return { function_call: { ...functionCall, arguments: text } }
  }

  readonly #writePiece = ({ call: known, raw, text }: WrittenPiece): ReadonlyArray<ReadCall> => {
    let written = this.#written.get(known)
    if (written === undefined) {
      written = { begun: undefined, hasText: false, isOdd: false, waiting: [] }
      this.#written.set(known, written)
    }
    const said = takeText(known, written, text)
    const { id, isCustom, name, namespace } = known
    if (name === undefined) return []
    if (written.hasText) this.#empty.delete(known)
    else this.#empty.add(known)
    if (written.begun !== undefined) {
      const { call, index } = written.begun
      return [
        {
          event: { type: "call", call, text: said },
          native: { index, ...writeCallPiece(raw, isCustom, said) }
        }
      ]
    }
    const index = this.#count++
    const call: StreamedCall = { id: id ?? this.#makeId(index), name, namespace, isCustom }
    written.begun = { index, call }
    return [
      {
        event: { type: "call", call, text: said },
        native: { index, ...writeCall(raw, { id: call.id, name, text: said }) }
      }
    ]
  }

  #readCall(call: Json, ids: Set<string>): Json {
    const { id: written, isCustom, name, text } = readCallFields(call)
    // A call without a name is passed on unchanged, for clients that know its type.
    if (name === undefined) return call
    let id = written ?? this.#makeId(ids.size)
    for (let count = ids.size; ids.has(id); count++) id = `${written}_${count}`
    ids.add(id)
    return writeCall(call, { id, name, text: isCustom ? text : toObjectText(text) })
  }

  #makeId(index: number): string {
    this.#stem ??= drawCallIdStem(this.#options.random)
    return `call_${this.#stem}_${index}`
  }

  /** Signatures of Google's endpoint are details as well, which every caller can send back. */
  #withDetails(said: Json, calls: ReadonlyArray<Json>): Json {
    const details: Array<Json> = []
    const ofText = findSignature(said)
    for (const call of calls) {
      const signature = findSignature(call)
      if (signature === undefined || typeof call["id"] !== "string") continue
      details.push(toDetail(signature, this.#details++, call["id"]))
    }
    if (ofText !== undefined) details.push(toDetail(ofText, this.#details++))
    if (details.length === 0) return said
    const { reasoning_details: given } = said
    return { ...said, reasoning_details: [...(Array.isArray(given) ? given : []), ...details] }
  }
}

/** Whether the server runs this call itself, in a form of its own. */
const isForeign = (call: unknown): call is Json =>
  isObject(call) &&
  typeof call["type"] === "string" &&
  !["", "function", "custom"].includes(call["type"]) &&
  (call["custom"] ?? call["function"] ?? call["name"]) === undefined

/** Returns the text to send now. Later pieces belong to a value within the arguments, so they are passed on unread. */
const takeText = ({ isCustom, name }: KnownCall, written: WrittenCall, text: string): string => {
  const { waiting } = written
  if (name === undefined || written.isOdd) {
    waiting.push(text)
    return ""
  }
  if (written.hasText) return text
  const whole = waiting.join("") + text
  waiting.length = 0
  if (!isCustom && isOddStart(whole)) {
    const decoded = decodeTwice(whole)
    if (decoded === whole) {
      written.isOdd = true
      waiting.push(whole)
      return ""
    }
    written.hasText = true
    return decoded
  }
  if (whole.trim() !== "") written.hasText = true
  return whole
}

/** Finds Google's signatures in a piece; those in a call belong to that call. */
const findSignatures = (calls: ReadonlyArray<ReadCall>, said: Json): ReadonlyArray<AnswerEvent> => {
  const events: Array<AnswerEvent> = []
  for (const { event, native } of calls) {
    const value = findSignature(native)
    if (value === undefined) continue
    events.push({
      type: "signature",
      signature: { format: googleFormat, value },
      callId: event.call.id
    })
  }
  const value = findSignature(said)
  if (value !== undefined) {
    events.push({ type: "signature", signature: { format: googleFormat, value } })
  }
  return events
}

const findReasoning = ({ reasoning }: Json): Json | undefined =>
  typeof reasoning === "string" && reasoning !== "" ? { reasoning } : undefined
