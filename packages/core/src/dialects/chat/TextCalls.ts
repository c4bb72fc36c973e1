/**
 * Reads an answer that is calls written as text. Models of the families Hermes and Qwen write them so, and vLLM, llama.cpp and
 * Ollama pass them on where no tool parser is configured for the model (https://github.com/NousResearch/hermes-agent/pull/35129,
 * https://github.com/aaif-goose/goose/pull/9664).
 */
import { findJson, isObject } from "../../values/json/guards.ts"

type Json = Readonly<Record<string, unknown>>

/** Whether a name is that of a tool of the request. */
export type ToolCheck = (name: string) => boolean

/** The text that is none, and calls in the form of the dialect, without ids. */
interface ReadText {
  readonly content: string
  readonly calls: ReadonlyArray<Json>
}

const openTag = "<tool_call>"
const closeTag = "</tool_call>"

/** The most characters that wait for the end of the answer. */
const maxHeld = 1_048_576

/** The most that wait for the tag. */
const maxSpace = 1_024

/** Whether a call may begin with the first characters of an answer. White space says nothing yet. */
export const mayBeginCall = (content: unknown): boolean => {
  if (typeof content !== "string") return false
  const start = content.trimStart()
  return start !== "" && isBegun(start)
}

const isBegun = (start: string): boolean => start.startsWith(openTag) || openTag.startsWith(start)

/** Reads one choice, content by content. Only an answer of calls alone, and of tools of the request, is taken for calls. */
export class TextCalls {
  readonly #isTool: ToolCheck
  /** In pieces: joined and looked at again with each of them, a long answer would take quadratic time. */
  readonly #held: Array<string> = []
  #length = 0
  /** Whether the held text begins with the whole tag. */
  #hasTag = false
  #isOpen = true

  constructor(isTool: ToolCheck) {
    this.#isTool = isTool
  }

  /** Whether the next content may be more than text. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** `isLast`: nothing follows. `isText`: the calls are elsewhere. */
  read(content: string, isLast: boolean, isText: boolean): ReadText {
    this.#held.push(content)
    this.#length += content.length
    if (!isText && !isLast && this.#mayBegin()) {
      return { content: "", calls: [] }
    }
    this.#isOpen = false
    const text = this.#held.join("")
    this.#held.length = 0
    const calls = isText ? undefined : parseCalls(text, this.#isTool)
    return calls === undefined ? { content: text, calls: [] } : { content: "", calls }
  }

  #mayBegin(): boolean {
    if (this.#hasTag) return this.#length <= maxHeld
    if (this.#length > maxSpace) return false
    const start = this.#held.join("").trimStart()
    this.#hasTag = start.startsWith(openTag)
    return isBegun(start)
  }
}

/** Undefined for a text that is not calls alone. */
const parseCalls = (text: string, isTool: ToolCheck): ReadonlyArray<Json> | undefined => {
  const written = text.trim()
  const calls: Array<Json> = []
  for (let at = 0; at < written.length;) {
    if (!written.startsWith(openTag, at)) return undefined
    const end = written.indexOf(closeTag, at)
    if (end === -1) return undefined
    const call = findJson(written.slice(at + openTag.length, end))
    if (!isObject(call) || typeof call["name"] !== "string" || !isTool(call["name"])) {
      return undefined
    }
    const { arguments: given = {}, name } = call
    const said = typeof given === "string" ? given : JSON.stringify(given)
    calls.push({ index: calls.length, type: "function", function: { name, arguments: said } })
    at = end + closeTag.length
    while (at < written.length && /\s/.test(written.charAt(at))) at++
  }
  return calls.length === 0 ? undefined : calls
}
