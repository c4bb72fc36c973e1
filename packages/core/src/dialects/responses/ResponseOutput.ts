/** The output of a response while it is written: its items, and the events that say how they grow. */
import type { ReasoningPart } from "../../conversation/Part.ts"
import { type CalledTool, getFreeText, makeToolFinder } from "../CalledTool.ts"
import type { StreamedCall } from "../StreamedCalls.ts"
import type { Json } from "./fields.ts"
import { openaiFormat } from "./reasoningFormat.ts"
import { findReasoningDemand, type ReasoningDemand, type ResponseFacts } from "./responseObject.ts"
import { type WrappedPart, wrapReasoning } from "./wrapReasoning.ts"

type ItemStatus = "completed" | "in_progress" | "incomplete"
type Emit = (type: string, fields: Json) => void

/** A piece of reasoning. Pieces with the same `key` are of one part, and what they say is joined. */
export interface ReasoningPiece extends Omit<ReasoningPart, "extra" | "type"> {
  readonly key: number | string
}

interface OutputItem {
  readonly id: string
  /** Its place in the output. */
  readonly index: number
  status: ItemStatus
  readonly toJson: () => Json
  /** Emits what says that it is whole. */
  readonly finish: () => void
}

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

interface MessageState {
  readonly item: OutputItem
  readonly content: Array<RefusalContent | TextContent>
}

interface ReasoningState {
  readonly item: OutputItem
  readonly group: string
  readonly parts: Map<number | string, { -readonly [K in keyof WrappedPart]: WrappedPart[K] }>
  readonly summaries: Array<string>
  /** The part that the last summary belongs to. */
  summarized: number | string | undefined
}

interface CallState {
  readonly call: StreamedCall
  arguments: string
  item: OutputItem | undefined
}

/**
 * A message, or an item of reasoning, is closed as soon as something else begins. Calls stay open until the end, because
 * the arguments of several may come in turns.
 */
export class ResponseOutput {
  private readonly emit: Emit
  private readonly stem: string
  private readonly demand: ReasoningDemand
  private readonly findTool: (written: string) => CalledTool
  private readonly items: Array<OutputItem> = []
  private readonly itemIds = new Set<string>()
  private message: MessageState | undefined
  private reasoning: ReasoningState | undefined
  private readonly calls = new Map<StreamedCall, CallState>()

  constructor({ id, request, tools }: ResponseFacts, emit: Emit) {
    this.emit = emit
    this.stem = id.replace(/^[a-z]+[-_]/, "").replaceAll(/[^a-zA-Z0-9]/g, "")
    this.demand = findReasoningDemand(request)
    this.findTool = makeToolFinder(tools)
  }

  toJson(): ReadonlyArray<Json> {
    return this.items.map((item) => item.toJson())
  }

  /** What is not closed is incomplete, as in an answer that broke off. */
  abandon(): void {
    for (const item of this.items) if (item.status === "in_progress") item.status = "incomplete"
  }

  addText(text: string, logprobs: ReadonlyArray<unknown>): void {
    const { content, item } = this.openMessage()
    let last = content.at(-1)
    if (last?.type !== "output_text") {
      this.finishContent()
      last = { type: "output_text", text: "", annotations: [], logprobs: [] }
      content.push(last)
      this.emitContent("response.content_part.added", { part: emptyText })
    }
    last.text += text
    for (const logprob of logprobs) last.logprobs.push(logprob)
    this.emit("response.output_text.delta", {
      item_id: item.id,
      output_index: item.index,
      content_index: content.length - 1,
      delta: text,
      logprobs
    })
  }

  addRefusal(refusal: string): void {
    const { content, item } = this.openMessage()
    let last = content.at(-1)
    if (last?.type !== "refusal") {
      this.finishContent()
      last = { type: "refusal", refusal: "" }
      content.push(last)
      this.emitContent("response.content_part.added", { part: { type: "refusal", refusal: "" } })
    }
    last.refusal += refusal
    this.emit("response.refusal.delta", {
      item_id: item.id,
      output_index: item.index,
      content_index: content.length - 1,
      delta: refusal
    })
  }

  /** Citations belong to a text, and are dropped without one. */
  addAnnotations(annotations: ReadonlyArray<Json>): void {
    const text = this.message?.content.at(-1)
    if (this.message === undefined || text?.type !== "output_text") return
    for (const annotation of annotations) {
      this.emit("response.output_text.annotation.added", {
        item_id: this.message.item.id,
        output_index: this.message.item.index,
        content_index: this.message.content.length - 1,
        annotation_index: text.annotations.length,
        annotation
      })
      text.annotations.push(annotation)
    }
  }

  addReasoning(piece: ReasoningPiece): void {
    this.think(piece, this.demand.wantsText)
  }

  /** Adds what has been read already. */
  addReasoningSilently(piece: ReasoningPiece): void {
    this.think(piece, false)
  }

  private think({ key, text, ...piece }: ReasoningPiece, wantsText: boolean): void {
    const { wantsEncrypted } = this.demand
    const isShown = wantsText && text !== undefined && text !== ""
    const isSilent = (text ?? "") === "" && (piece.signature ?? piece.encrypted) === undefined
    if (isSilent || (!isShown && !wantsEncrypted)) return
    const { item, parts, summaries } = this.openReasoning(key, piece)
    let part = parts.get(key)
    if (part === undefined) {
      part = { format: piece.format }
      parts.set(key, part)
    }
    const { encrypted, signature, ...rest } = piece
    Object.assign(part, rest)
    if (text !== undefined) part.text = (part.text ?? "") + text
    if (signature !== undefined) part.signature = (part.signature ?? "") + signature
    if (encrypted !== undefined) part.encrypted = (part.encrypted ?? "") + encrypted
    if (!isShown) return
    if (part.summaryIndex === undefined) {
      this.finishSummary()
      part.summaryIndex = summaries.length
      summaries.push("")
      if (this.reasoning !== undefined) this.reasoning.summarized = key
      this.emit("response.reasoning_summary_part.added", {
        item_id: item.id,
        output_index: item.index,
        summary_index: part.summaryIndex,
        part: { type: "summary_text", text: "" }
      })
    }
    summaries[part.summaryIndex] += text
    this.emit("response.reasoning_summary_text.delta", {
      item_id: item.id,
      output_index: item.index,
      summary_index: part.summaryIndex,
      delta: text
    })
  }

  /** A call is added once its id and its name are known; until then its arguments wait. */
  addCall(call: StreamedCall, text: string): void {
    const state = this.calls.get(call) ?? { call, arguments: "", item: undefined }
    this.calls.set(call, state)
    state.arguments += text
    if (state.item !== undefined) this.emitArguments(state, text)
    else if (call.id !== undefined && call.name !== undefined) this.openCall(state, call.id)
  }

  /** An answer without anything is one empty message; what is cut off is its last item. */
  close(isCut: boolean): void {
    const calls = Array.from(this.calls.values())
    const isCallLast = calls.some(({ item }) => item === undefined)
    this.closeMessage(isCut && !isCallLast)
    this.closeReasoning(isCut && !isCallLast)
    for (const state of calls) {
      if (state.item === undefined) this.openCall(state, state.call.id ?? this.makeCallId())
    }
    if (this.items.length === 0) {
      this.openMessage()
      this.closeMessage(isCut)
    }
    const last = this.items.at(-1)
    for (const { item } of calls) if (item !== undefined) finishItem(item, isCut && item === last)
  }

  private addItem(
    item: Pick<OutputItem, "finish" | "toJson"> & { readonly id: string },
    added: Json
  ): OutputItem {
    const opened: OutputItem = { ...item, index: this.items.length, status: "in_progress" }
    this.items.push(opened)
    this.itemIds.add(item.id)
    this.emit("response.output_item.added", { output_index: opened.index, item: added })
    return opened
  }

  private emitDone(item: OutputItem): void {
    this.emit("response.output_item.done", { output_index: item.index, item: item.toJson() })
  }

  private makeItemId(prefix: string): string {
    return `${prefix}_${this.stem}${this.items.length}`
  }

  private openMessage(): MessageState {
    if (this.message !== undefined) return this.message
    this.closeReasoning(false)
    const content: MessageState["content"] = []
    const id = this.makeItemId("msg")
    const toJson = () => ({
      type: "message",
      id,
      role: "assistant",
      status: item.status,
      content: content.map((part) =>
        part.type === "refusal"
          ? { ...part }
          : { ...part, annotations: [...part.annotations], logprobs: [...part.logprobs] }
      )
    })
    const item: OutputItem = this.addItem(
      {
        id,
        toJson,
        finish: () => {
          this.finishContent()
          this.emitDone(item)
        }
      },
      { type: "message", id, role: "assistant", status: "in_progress", content: [] }
    )
    this.message = { content, item }
    return this.message
  }

  private closeMessage(isCut: boolean): void {
    if (this.message === undefined) return
    finishItem(this.message.item, isCut)
    this.message = undefined
  }

  private emitContent(type: string, fields: Json): void {
    if (this.message === undefined) return
    const { content, item } = this.message
    this.emit(type, {
      item_id: item.id,
      output_index: item.index,
      content_index: content.length - 1,
      ...fields
    })
  }

  private finishContent(): void {
    const last = this.message?.content.at(-1)
    if (last === undefined) return
    if (last.type === "output_text") {
      this.emitContent("response.output_text.done", { text: last.text, logprobs: last.logprobs })
    } else this.emitContent("response.refusal.done", { refusal: last.refusal })
    this.emitContent("response.content_part.done", { part: last })
  }

  private openReasoning(key: number | string, { id }: Omit<ReasoningPiece, "key">): ReasoningState {
    const group = id === undefined ? `key ${key}` : `id ${id}`
    // A later piece of a part may leave its id out.
    if (this.reasoning?.group === group || this.reasoning?.parts.has(key) === true) {
      return this.reasoning
    }
    this.closeMessage(false)
    this.closeReasoning(false)
    const parts: ReasoningState["parts"] = new Map()
    const summaries: Array<string> = []
    const itemId =
      id?.startsWith("rs_") === true && !this.itemIds.has(id) ? id : this.makeItemId("rs")
    const toJson = () => ({
      type: "reasoning",
      id: itemId,
      status: item.status,
      summary: summaries.map((text) => ({ type: "summary_text", text })),
      ...this.encrypt(Array.from(parts.values()))
    })
    const item: OutputItem = this.addItem(
      {
        id: itemId,
        toJson,
        finish: () => {
          this.finishSummary()
          this.emitDone(item)
        }
      },
      { type: "reasoning", id: itemId, status: "in_progress", summary: [] }
    )
    this.reasoning = { group, item, parts, summaries, summarized: undefined }
    return this.reasoning
  }

  /** OpenAI's own is passed on as it is. Everything else is wrapped, with the name of those who can read it. */
  private encrypt(parts: ReadonlyArray<WrappedPart>): Json {
    if (!this.demand.wantsEncrypted || parts.length === 0) return {}
    const isOwn = parts.every(({ format }) => format === openaiFormat)
    const own = parts.findLast(({ encrypted }) => encrypted !== undefined)?.encrypted
    if (!isOwn) return { encrypted_content: wrapReasoning(parts) }
    return own === undefined ? {} : { encrypted_content: own }
  }

  private closeReasoning(isCut: boolean): void {
    if (this.reasoning === undefined) return
    finishItem(this.reasoning.item, isCut)
    this.reasoning = undefined
  }

  private finishSummary(): void {
    if (this.reasoning?.summarized === undefined) return
    const { item, parts, summaries, summarized } = this.reasoning
    const summary_index = parts.get(summarized)?.summaryIndex ?? 0
    const text = summaries[summary_index] ?? ""
    const place = { item_id: item.id, output_index: item.index, summary_index }
    this.reasoning.summarized = undefined
    this.emit("response.reasoning_summary_text.done", { ...place, text })
    this.emit("response.reasoning_summary_part.done", {
      ...place,
      part: { type: "summary_text", text }
    })
  }

  private makeCallId(): string {
    return `call_${this.stem}${this.items.length}`
  }

  private openCall(state: CallState, callId: string): void {
    this.closeMessage(false)
    this.closeReasoning(false)
    const { call } = state
    const { isCustom: isFreeText, name, namespace } = this.toTool(call)
    const isCustom = call.isCustom || isFreeText === true
    // A custom tool that was called as a function has its input in the arguments, which are read when they are whole.
    const isWrapped = isCustom && !call.isCustom
    const id = this.makeItemId(isCustom ? "ctc" : "fc")
    const field = isCustom ? "input" : "arguments"
    const toText = () => (isWrapped ? getFreeText(state.arguments) : state.arguments)
    const head = {
      type: isCustom ? "custom_tool_call" : "function_call",
      id,
      call_id: callId,
      name,
      ...(namespace === undefined ? undefined : { namespace })
    }
    const item: OutputItem = this.addItem(
      {
        id,
        toJson: () => ({ ...head, status: item.status, [field]: toText() }),
        finish: () => {
          // The arguments of no arguments.
          if (!isCustom && state.arguments === "" && item.status === "completed") {
            state.arguments = "{}"
            this.emitArguments(state, "{}")
          }
          if (isWrapped) this.emitInput(item, toText())
          this.emit(
            `response.${isCustom ? "custom_tool_call_input" : "function_call_arguments"}.done`,
            {
              item_id: id,
              output_index: item.index,
              ...(isCustom ? undefined : { name }),
              [field]: toText()
            }
          )
          this.emitDone(item)
        }
      },
      { ...head, status: "in_progress", [field]: "" }
    )
    state.item = item
    this.emitArguments(state, state.arguments)
  }

  private toTool({ name = "", namespace }: StreamedCall): CalledTool {
    return namespace === undefined ? this.findTool(name) : { name, namespace }
  }

  private emitArguments({ call, item }: CallState, text: string): void {
    if (item === undefined || text === "") return
    if (call.isCustom) return this.emitInput(item, text)
    if (item.id.startsWith("ctc_")) return
    this.emit("response.function_call_arguments.delta", {
      item_id: item.id,
      output_index: item.index,
      delta: text
    })
  }

  private emitInput(item: OutputItem, text: string): void {
    if (text === "") return
    this.emit("response.custom_tool_call_input.delta", {
      item_id: item.id,
      output_index: item.index,
      delta: text
    })
  }
}

const emptyText: Json = { type: "output_text", text: "", annotations: [], logprobs: [] }

const finishItem = (item: OutputItem, isCut: boolean): void => {
  item.status = isCut ? "incomplete" : "completed"
  item.finish()
}
