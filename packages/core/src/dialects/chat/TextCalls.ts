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
const block = /<tool_call>(.*?)<\/tool_call>/gs

/** The most characters that wait for the end of the answer. */
const maxHeld = 1_048_576

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
  #held = ""
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
    const text = this.#held + content
    this.#held = ""
    if (!isText && !isLast && text.length <= maxHeld && isBegun(text.trimStart())) {
      this.#held = text
      return { content: "", calls: [] }
    }
    this.#isOpen = false
    const calls = isText ? undefined : parseCalls(text, this.#isTool)
    return calls === undefined ? { content: text, calls: [] } : { content: "", calls }
  }
}

const parseCalls = (text: string, isTool: ToolCheck): ReadonlyArray<Json> | undefined => {
  if (text.replaceAll(block, "").trim() !== "") return undefined
  const calls: Array<Json> = []
  for (const [, written = ""] of text.matchAll(block)) {
    const call = findJson(written)
    if (!isObject(call) || typeof call["name"] !== "string" || !isTool(call["name"])) {
      return undefined
    }
    const { arguments: given = {}, name } = call
    const said = typeof given === "string" ? given : JSON.stringify(given)
    calls.push({ index: calls.length, type: "function", function: { name, arguments: said } })
  }
  return calls.length === 0 ? undefined : calls
}
