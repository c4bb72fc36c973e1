/** The message item of a response: its texts and refusals in order. */
import type { Json } from "./fields.ts"
import type { OutputItem, OutputItems } from "./OutputItems.ts"

interface TextContent {
  readonly type: "output_text"
  text: string
  readonly annotations: Array<Json>
  readonly logprobs: Array<unknown>
}

interface RefusalContent {
  readonly type: "refusal"
  refusal: string
}

export class MessageItem {
  private readonly items: OutputItems
  private readonly item: OutputItem
  private readonly content: Array<RefusalContent | TextContent> = []

  constructor(items: OutputItems) {
    this.items = items
    const id = items.makeId("msg")
    const head = { type: "message", id, role: "assistant" }
    this.item = items.begin(id, { ...head, status: "in_progress", content: [] }, (status) => ({
      ...head,
      status,
      content: this.content.map(copyContent)
    }))
  }

  begin(type: "refusal" | "text"): void {
    const content: RefusalContent | TextContent =
      type === "refusal"
        ? { type, refusal: "" }
        : { type: "output_text", text: "", annotations: [], logprobs: [] }
    this.content.push(content)
    this.emit("response.content_part.added", { part: copyContent(content) })
  }

  /** `logprobs` belong to `text`. */
  extend(text: string, logprobs: ReadonlyArray<unknown>): void {
    const { id: item_id, index: output_index } = this.item
    const content_index = this.content.length - 1
    const last = this.content[content_index]
    if (last?.type === "refusal") {
      last.refusal += text
      const fields = { item_id, output_index, content_index, delta: text }
      this.items.emit("response.refusal.delta", fields)
    } else if (last !== undefined) {
      last.text += text
      for (const logprob of logprobs) last.logprobs.push(logprob)
      const fields = { item_id, output_index, content_index, delta: text, logprobs }
      this.items.emit("response.output_text.delta", fields)
    }
  }

  annotate(annotations: ReadonlyArray<Json>): void {
    const last = this.content.at(-1)
    if (last?.type !== "output_text") return
    for (const annotation of annotations) {
      this.emit("response.output_text.annotation.added", {
        annotation_index: last.annotations.length,
        annotation
      })
      last.annotations.push(annotation)
    }
  }

  /** Ends the last text or refusal. */
  endContent(): void {
    const last = this.content.at(-1)
    if (last === undefined) return
    if (last.type === "output_text") {
      this.emit("response.output_text.done", { text: last.text, logprobs: last.logprobs })
    } else this.emit("response.refusal.done", { refusal: last.refusal })
    this.emit("response.content_part.done", { part: last })
  }

  end(isCut: boolean): void {
    this.items.end(this.item, isCut)
  }

  private emit(type: string, fields: Json): void {
    this.items.emit(type, {
      item_id: this.item.id,
      output_index: this.item.index,
      content_index: this.content.length - 1,
      ...fields
    })
  }
}

const copyContent = (content: RefusalContent | TextContent): Json =>
  content.type === "refusal"
    ? { ...content }
    : {
        ...content,
        annotations: [...content.annotations],
        logprobs: [...content.logprobs]
      }
