/** The items of a response while it is written, and the events that say when each begins and ends. */
import type { Json } from "./fields.ts"

type ItemStatus = "completed" | "in_progress" | "incomplete"
export type Emit = (type: string, fields: Json) => void

export interface OutputItem {
  readonly id: string
  /** Its place in the output. */
  readonly index: number
  status: ItemStatus
  readonly toJson: (status: ItemStatus) => Json
}

export class OutputItems {
  readonly emit: Emit
  private readonly stem: string
  private readonly items: Array<OutputItem> = []
  private readonly ids = new Set<string>()

  constructor(responseId: string, emit: Emit) {
    this.emit = emit
    this.stem = responseId.replace(/^[a-z]+[-_]/, "").replaceAll(/[^a-zA-Z0-9]/g, "")
  }

  get last(): OutputItem | undefined {
    return this.items.at(-1)
  }

  /** The id of the next item. */
  makeId(prefix: string): string {
    return `${prefix}_${this.stem}${this.items.length}`
  }

  hasId(id: string): boolean {
    return this.ids.has(id)
  }

  begin(id: string, added: Json, toJson: OutputItem["toJson"]): OutputItem {
    const item: OutputItem = { id, toJson, index: this.items.length, status: "in_progress" }
    this.items.push(item)
    this.ids.add(id)
    this.emit("response.output_item.added", { output_index: item.index, item: added })
    return item
  }

  end(item: OutputItem, isCut: boolean): void {
    item.status = isCut ? "incomplete" : "completed"
    this.emit("response.output_item.done", {
      output_index: item.index,
      item: item.toJson(item.status)
    })
  }

  /** Marks open items as incomplete, as in an answer that broke off. */
  abandon(): void {
    for (const item of this.items) if (item.status === "in_progress") item.status = "incomplete"
  }

  toJson(): ReadonlyArray<Json> {
    return this.items.map((item) => item.toJson(item.status))
  }
}
