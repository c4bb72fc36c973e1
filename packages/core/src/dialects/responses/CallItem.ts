/** The item of a response for a call. */
import type { CallBlock } from "../AnswerBlock.ts"
import { type CalledTool, getFreeText } from "../CalledTool.ts"
import type { OutputItem, OutputItems } from "./OutputItems.ts"

export class CallItem {
  private readonly items: OutputItems
  readonly item: OutputItem
  private readonly block: CallBlock
  private readonly name: string
  private readonly isCustom: boolean
  /** A custom tool that was called as a function has its input in the arguments, which are read when they are whole. */
  private readonly isWrapped: boolean
  /**
   * `kind` is the first part of the types of its events. The whole type of deltas is kept, because they are frequent.
   */
  private readonly kind: string
  private readonly deltaType: string
  /** The arguments of a whole call without any. */
  private noArguments = ""

  constructor(items: OutputItems, block: CallBlock, { isCustom, name, namespace }: CalledTool) {
    const { call } = block
    this.items = items
    this.block = block
    this.name = name
    this.isCustom = call.isCustom || isCustom === true
    this.isWrapped = this.isCustom && !call.isCustom
    this.kind = `response.${this.isCustom ? "custom_tool_call_input" : "function_call_arguments"}`
    this.deltaType = `${this.kind}.delta`
    const id = items.makeId(this.isCustom ? "ctc" : "fc")
    const head = {
      type: this.isCustom ? "custom_tool_call" : "function_call",
      id,
      call_id: call.id,
      name,
      ...(namespace === undefined ? undefined : { namespace })
    }
    const field = this.isCustom ? "input" : "arguments"
    this.item = items.begin(id, { ...head, status: "in_progress", [field]: "" }, (status) => ({
      ...head,
      status,
      [field]: this.toText()
    }))
  }

  extend(text: string): void {
    if (!this.isWrapped) this.emitDelta(text)
  }

  end(isCut: boolean): void {
    const { isCustom, item, name } = this
    if (!isCustom && !isCut && this.toText() === "") {
      this.noArguments = "{}"
      this.emitDelta("{}")
    }
    const text = this.toText()
    if (this.isWrapped && text !== "") this.emitDelta(text)
    this.items.emit(`${this.kind}.done`, {
      item_id: item.id,
      output_index: item.index,
      ...(isCustom ? { input: text } : { name, arguments: text })
    })
    this.items.end(item, isCut)
  }

  private toText(): string {
    const { text } = this.block.args
    return this.isWrapped ? getFreeText(text) : text || this.noArguments
  }

  private emitDelta(delta: string): void {
    const { id, index } = this.item
    this.items.emit(this.deltaType, { item_id: id, output_index: index, delta })
  }
}
