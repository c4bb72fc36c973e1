/**
 * Reads one choice of any server, whole or in deltas, and writes it as the dialect specifies. The sources for the
 * behaviour of servers are next to the cases of e2e/translation.
 */
import type { AnswerEvent } from "../../conversation/Answer.ts"
import type { findRandom } from "../../engine/upstreams/callIdStems.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { CallWriter, type WrittenCall } from "./CallWriter.ts"
import { SaidReader } from "./SaidReader.ts"
import { TextCalls, type ToolCheck } from "./TextCalls.ts"
import { mayBeginThought, splitLoneEnd, ThinkTags } from "./ThinkTags.ts"
import { listCalls, readCallFields } from "./callFields.ts"
import {
  findSignature,
  googleFormat,
  isThought,
  splitThought,
  toDetail
} from "./googleSignatures.ts"
import { findMissingReasoning, findReasoningText } from "./reasoningText.ts"
import { hasBlocks, ThinkingBlocks } from "./thinkingBlocks.ts"

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

/** Reads one choice; other choices have readers of their own. */
export class AnswerReader {
  readonly #options: AnswerReaderOptions
  readonly #calls: CallWriter
  readonly #said = new SaidReader()
  #details = 0
  readonly #blocks = new ThinkingBlocks(() => this.#details++)
  #tags: ThinkTags | undefined
  #textCalls: TextCalls | undefined
  #hasToolCalls = false
  /** Whether Google's thought may end with the next content. */
  #isThinking = false

  constructor(options: AnswerReaderOptions) {
    this.#options = options
    this.#calls = new CallWriter(options.random)
  }

  /** Whether the next content may be more than text. */
  get splitsText(): boolean {
    return this.#isThinking || this.#tags?.isOpen === true || this.#textCalls?.isOpen === true
  }

  get hasCalls(): boolean {
    return this.#calls.count > 0
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
    const read = this.#calls.writePieces(own, isLast)
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
    const calls = this.#calls.writeWhole(listCalls(this.#findCalls(tool_calls, function_call)))
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

/** Finds Google's signatures in a piece; those in a call belong to that call. */
const findSignatures = (
  calls: ReadonlyArray<WrittenCall>,
  said: Json
): ReadonlyArray<AnswerEvent> => {
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

/** Whether it is neither a text nor nothing. */
const hasParts = (content: unknown): boolean => typeof content === "object" && content !== null

/**
 * Converts a list of content parts to the equivalent fields of the message. Mistral writes its thoughts as parts
 * (https://docs.mistral.ai/capabilities/reasoning). Pictures get a field of their own, and parts of unknown types are
 * kept in `provider_parts`.
 */
const readContent = (content: unknown): Json => {
  let text = ""
  let reasoning = ""
  let refusal = ""
  const images: Array<Json> = []
  const others: Array<unknown> = []
  for (const part of Array.isArray(content) ? toList(content) : [content]) {
    if (typeof part === "string") text += part
    else if (!isObject(part)) continue
    else if (part["type"] === "thinking" || part["type"] === "reasoning") {
      reasoning += joinTexts(part["thinking"] ?? part["reasoning"] ?? part["text"])
    } else if (part["type"] === "refusal") refusal += joinTexts(part["refusal"])
    else if (part["type"] === "image_url") images.push(part)
    else if (typeof part["text"] === "string") text += part["text"]
    else others.push(part)
  }
  return {
    content: text === "" ? null : text,
    ...(reasoning === "" ? undefined : { reasoning }),
    ...(refusal === "" ? undefined : { refusal }),
    ...(images.length === 0 ? undefined : { images }),
    ...(others.length === 0 ? undefined : { provider_parts: others })
  }
}

/** A text, or the texts of parts. */
const joinTexts = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return value.map(joinTexts).join("")
  return isObject(value) && typeof value["text"] === "string" ? value["text"] : ""
}
