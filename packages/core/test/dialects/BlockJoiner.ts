/** Puts the blocks of an answer together to its parts, and fails when they are not balanced. */
import { assert } from "vitest"
import type { Citation, Part } from "../../src/conversation/Part.ts"
import type { AnswerBlock, BlockRules } from "../../src/dialects/AnswerBlock.ts"

type Draft<A> = A extends unknown ? { -readonly [K in keyof A]: A[K] } : never
type PartDraft = Draft<Part>
type DraftOf<T extends PartDraft["type"]> = Extract<PartDraft, { type: T }>

export class BlockJoiner implements BlockRules {
  readonly calls: BlockRules["calls"]
  readonly hasRefusals = true
  readonly hasOpaque = true
  readonly #parts: Array<PartDraft> = []
  readonly #begun = new Set<AnswerBlock>()
  readonly #open = new Map<AnswerBlock, PartDraft>()
  readonly #thoughts = new Map<string, DraftOf<"reasoning">>()
  /** The number of open blocks that are not calls. */
  #others = 0

  constructor(calls: BlockRules["calls"]) {
    this.calls = calls
  }

  readonly holds = (): boolean => true

  readonly begin = (block: AnswerBlock): void => {
    assert.isFalse(this.#begun.has(block), "begins once")
    this.#begun.add(block)
    assert.strictEqual(this.#others, 0, "a text or a thought ends before the next block")
    if (this.calls === "inTurn") assert.strictEqual(this.#open.size, 0)
    if (block.type !== "call") this.#others++
    this.#open.set(block, this.#partOf(block))
  }

  readonly extend = (block: AnswerBlock, text: string): void => {
    const part = this.#open.get(block)
    if (part?.type === "text") part.text += text
    else if (part?.type === "refusal") part.refusal += text
    else if (part?.type === "reasoning") part.text = (part.text ?? "") + text
    else if (part?.type === "call") part.arguments += text
    else assert.fail("only open blocks go on")
  }

  readonly end = (block: AnswerBlock): void => {
    const part = this.#open.get(block)
    assert.isTrue(this.#open.delete(block), "ends once")
    if (block.type !== "call") this.#others--
    if (part?.type === "reasoning") finishThought(part, block)
    else if ("signature" in block && typeof block.signature === "object") {
      assert(part?.type === "text" || part?.type === "call")
      part.signature = block.signature
    }
    if (block.type === "call" && part?.type === "call") {
      assert.strictEqual(block.args.text, part.arguments)
    }
  }

  readonly add: BlockRules["add"] = (event, open) => {
    if (event.type === "citation") {
      const text = open === undefined ? undefined : this.#open.get(open)
      assert(text?.type === "text")
      const citations: ReadonlyArray<Citation> = text.citations ?? []
      text.citations = [...citations, event.citation]
      return
    }
    assert.isUndefined(open)
    assert.strictEqual(this.#others, 0)
    this.#parts.push(event.type === "media" ? { ...event.media } : { ...event })
  }

  toParts(): ReadonlyArray<Part> {
    assert.strictEqual(this.#open.size, 0, "all blocks end")
    return this.#parts
  }

  /** Texts in a row are one, and so are thoughts with the same key. */
  #partOf(block: AnswerBlock): PartDraft {
    const last = this.#parts.at(-1)
    if (block.type === "text" || block.type === "refusal") {
      if (last?.type === block.type) return last
      return this.#push(
        block.type === "text" ? { type: "text", text: "" } : { type: "refusal", refusal: "" }
      )
    }
    if (block.type === "call") {
      const { id, isCustom, name } = block.call
      return this.#push({
        type: "call",
        id,
        name,
        arguments: "",
        ...(isCustom ? { isCustom } : undefined)
      })
    }
    const key = `${block.type} ${block.key}`
    const known = this.#thoughts.get(key)
    if (known !== undefined) return known
    const thought: DraftOf<"reasoning"> = { type: "reasoning", format: block.format }
    this.#thoughts.set(key, thought)
    return this.#push(thought)
  }

  #push(part: PartDraft): PartDraft {
    this.#parts.push(part)
    return part
  }
}

const finishThought = (part: DraftOf<"reasoning">, block: AnswerBlock): void => {
  assert(block.type === "thought" || block.type === "encrypted")
  part.format = block.format
  if (block.id !== undefined) part.id = block.id
  if (block.encrypted !== "") part.encrypted = (part.encrypted ?? "") + block.encrypted
  if (block.type === "encrypted") return
  if (block.isSummary) part.isSummary = true
  if (block.signature !== "") part.signature = (part.signature ?? "") + block.signature
}
