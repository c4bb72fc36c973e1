/**
 * The thinking of Claude as LiteLLM writes and takes it, in `thinking_blocks` beside the text
 * (https://docs.litellm.ai/docs/reasoning_content), in the form of the contract, `reasoning_details`.
 */
import type { ReasoningPart } from "../../conversation/Part.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { parseReasoning } from "./reasoningDetails.ts"

type Json = Readonly<Record<string, unknown>>

const format = "anthropic-claude-v1"

/**
 * Reads one choice, or one message. In a stream each piece of a thought is a block; the last one has the signature, and may
 * say the whole thought again (https://github.com/BerriAI/litellm/issues/29428).
 */
export class ThinkingBlocks {
  readonly #nextIndex: () => number
  #index: number | undefined
  #text = ""
  #isSaid = false

  constructor(nextIndex: () => number) {
    this.#nextIndex = nextIndex
  }

  /** The thought has been sent already: the block with its signature repeats it. */
  expectRepetition(): void {
    this.#isSaid = true
  }

  /** The details that say the same. */
  read(blocks: ReadonlyArray<unknown>): ReadonlyArray<Json> {
    return blocks.flatMap((block) => (isObject(block) ? this.#readBlock(block) : []))
  }

  #readBlock({ data, signature, thinking, type }: Json): ReadonlyArray<Json> {
    if (type === "redacted_thinking" && typeof data === "string") {
      this.#end()
      return [{ type: "reasoning.encrypted", data, format, index: this.#nextIndex() }]
    }
    const said = typeof thinking === "string" ? thinking : ""
    const isSigned = typeof signature === "string" && signature !== ""
    const text = isSigned ? this.#omitSaid(said) : said
    if (text === "" && !isSigned) return []
    const index = (this.#index ??= this.#nextIndex())
    this.#text += text
    if (isSigned) this.#end()
    const signed = isSigned ? { signature } : undefined
    return [{ type: "reasoning.text", text, ...signed, format, index }]
  }

  #omitSaid(text: string): string {
    if (this.#text === "" && this.#isSaid) return ""
    return text.startsWith(this.#text) ? text.slice(this.#text.length) : text
  }

  #end(): void {
    this.#isSaid = false
    this.#index = undefined
    this.#text = ""
  }
}

/** The details of a message, wherever it has them. */
export const findDetails = ({ reasoning_details, thinking_blocks }: Json): unknown => {
  if (!hasBlocks(thinking_blocks) || hasBlocks(reasoning_details)) return reasoning_details
  let count = 0
  return new ThinkingBlocks(() => count++).read(toList(thinking_blocks))
}

export const hasBlocks = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** With what Claude has signed of the details in `thinking_blocks`, too. */
export const addThinkingBlocks = <M extends Json>(message: M): M => {
  if (!hasBlocks(message["reasoning_details"]) || hasBlocks(message["thinking_blocks"])) {
    return message
  }
  const blocks = parseReasoning(message["reasoning_details"], undefined).flatMap(toBlock)
  return blocks.length === 0 ? message : { ...message, thinking_blocks: blocks }
}

const toBlock = (part: ReasoningPart): ReadonlyArray<Json> => {
  if (part.format !== format) return []
  const { encrypted, signature, text = "" } = part
  if (encrypted !== undefined) return [{ type: "redacted_thinking", data: encrypted }]
  return signature === undefined || signature === ""
    ? []
    : [{ type: "thinking", thinking: text, signature }]
}
