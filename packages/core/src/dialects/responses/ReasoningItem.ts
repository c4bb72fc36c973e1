/** An item of a response for what was thought: readable summaries, and what goes back encrypted. */
import type { EncryptedBlock, ThoughtBlock } from "../AnswerBlock.ts"
import type { Json } from "./fields.ts"
import type { OutputItem, OutputItems } from "./OutputItems.ts"
import { openaiFormat, type WrappedPart, wrapReasoning } from "./parseReasoningItem.ts"
import type { ReasoningDemand } from "./responseObject.ts"

type Block = EncryptedBlock | ThoughtBlock

/** A part of the item; other parts may come between its pieces. */
interface PartState {
  readonly blocks: Array<Block>
  text: string | undefined
  summaryIndex: number | undefined
}

export class ReasoningItem {
  private readonly items: OutputItems
  private readonly item: OutputItem
  private readonly demand: ReasoningDemand
  private readonly group: string
  private readonly parts = new Map<string, PartState>()
  private readonly summaries: Array<string> = []
  /** The place of the summary that is open. */
  private openSummary: number | undefined

  constructor(items: OutputItems, demand: ReasoningDemand, first: Block) {
    this.items = items
    this.demand = demand
    this.group = toGroup(first)
    const { id: given } = first
    const id = given?.startsWith("rs_") === true && !items.hasId(given) ? given : items.makeId("rs")
    const head = { type: "reasoning", id }
    this.item = items.begin(id, { ...head, status: "in_progress", summary: [] }, (status) => ({
      ...head,
      status,
      summary: this.summaries.map((text) => ({ type: "summary_text", text })),
      ...this.encrypt()
    }))
  }

  /** A later block of a part may leave its id out. */
  takes(block: Block): boolean {
    return this.group === toGroup(block) || this.parts.has(block.key)
  }

  begin(block: Block): void {
    const part = this.parts.get(block.key) ?? this.addPart(block.key)
    part.blocks.push(block)
  }

  extend({ key }: ThoughtBlock, text: string): void {
    const part = this.parts.get(key) ?? this.addPart(key)
    part.text = (part.text ?? "") + text
    if (!this.demand.wantsText) return
    part.summaryIndex ??= this.beginSummary()
    this.summaries[part.summaryIndex] += text
    this.items.emit("response.reasoning_summary_text.delta", {
      item_id: this.item.id,
      output_index: this.item.index,
      summary_index: part.summaryIndex,
      delta: text
    })
  }

  end(isCut: boolean): void {
    this.endSummary()
    this.items.end(this.item, isCut)
  }

  private addPart(key: string): PartState {
    const part: PartState = { blocks: [], text: undefined, summaryIndex: undefined }
    this.parts.set(key, part)
    return part
  }

  private beginSummary(): number {
    this.endSummary()
    const index = this.summaries.length
    this.summaries.push("")
    this.openSummary = index
    const part = { type: "summary_text", text: "" }
    this.emit("response.reasoning_summary_part.added", index, { part })
    return index
  }

  private endSummary(): void {
    const index = this.openSummary
    if (index === undefined) return
    this.openSummary = undefined
    const text = this.summaries[index] ?? ""
    this.emit("response.reasoning_summary_text.done", index, { text })
    this.emit("response.reasoning_summary_part.done", index, {
      part: { type: "summary_text", text }
    })
  }

  /**
   * OpenAI's own reasoning is passed on unchanged. All other reasoning is wrapped, with the name of the family that can
   * read it.
   */
  private encrypt(): Json {
    if (!this.demand.wantsEncrypted || this.parts.size === 0) return {}
    const parts = Array.from(this.parts.values(), toWrapped)
    const isOwn = parts.every(({ format }) => format === openaiFormat)
    const own = parts.findLast(({ encrypted }) => encrypted !== undefined)?.encrypted
    if (!isOwn) return { encrypted_content: wrapReasoning(parts) }
    return own === undefined ? {} : { encrypted_content: own }
  }

  private emit(type: string, summary: number, fields: Json): void {
    this.items.emit(type, {
      item_id: this.item.id,
      output_index: this.item.index,
      summary_index: summary,
      ...fields
    })
  }
}

const toGroup = ({ id, key }: Block): string => (id === undefined ? `key ${key}` : `id ${id}`)

/** Details that come late count too. */
const toWrapped = ({ blocks, summaryIndex, text }: PartState): WrappedPart => {
  const id = blocks.findLast((block) => block.id !== undefined)?.id
  const signature = blocks.map((block) => ("signature" in block ? block.signature : "")).join("")
  const encrypted = blocks.map((block) => block.encrypted).join("")
  return {
    format: blocks.at(-1)?.format ?? "unknown",
    ...(id === undefined ? undefined : { id }),
    ...(blocks.some((block) => "isSummary" in block && block.isSummary)
      ? { isSummary: true }
      : undefined),
    ...(text === undefined ? undefined : { text }),
    ...(signature === "" ? undefined : { signature }),
    ...(encrypted === "" ? undefined : { encrypted }),
    ...(summaryIndex === undefined ? undefined : { summaryIndex })
  }
}
