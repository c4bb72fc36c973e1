/** The output of a response while it is written: assigns the events of the answer to items. */
import type { AnswerEvent, MediaEvent } from "../../conversation/Answer.ts"
import type { Citation } from "../../conversation/Part.ts"
import type { AnswerBlock, BlockRules, CallBlock } from "../AnswerBlock.ts"
import { AnswerBlocks } from "../AnswerBlocks.ts"
import { type CalledTool, makeToolFinder } from "../CalledTool.ts"
import { CallItem } from "./CallItem.ts"
import { MessageItem } from "./MessageItem.ts"
import { type Emit, OutputItems } from "./OutputItems.ts"
import { ReasoningItem } from "./ReasoningItem.ts"
import type { Json } from "./fields.ts"
import { addImageItem, isShownImage } from "./imageItem.ts"
import { findReasoningDemand, type ReasoningDemand, type ResponseFacts } from "./responseObject.ts"

/**
 * A message, or an item of reasoning, ends as soon as an item of another kind begins. Calls stay open until the end,
 * because the arguments of several may come in turns.
 */
export class ResponseOutput {
  /** What has no place in the output. */
  readonly omitted: Array<MediaEvent["media"]> = []
  private readonly items: OutputItems
  private readonly demand: ReasoningDemand
  private readonly findTool: (written: string) => CalledTool
  private readonly blocks = new AnswerBlocks({
    calls: "together",
    hasRefusals: true,
    begin: (block) => this.begin(block),
    extend: (block, text) => this.extend(block, text),
    end: (block) => this.end(block),
    add: (event) => this.addWhole(event)
  })
  private open: MessageItem | ReasoningItem | undefined
  /** The last one. */
  private message: MessageItem | undefined
  private readonly late: Array<Citation> = []
  private readonly calls = new Map<CallBlock, CallItem>()
  /** The log probabilities of the text that is added. */
  private logprobs: ReadonlyArray<unknown> = []
  /** Whether the answer was cut off. */
  private isCut = false

  constructor({ id, request, tools }: ResponseFacts, emit: Emit) {
    this.items = new OutputItems(id, emit)
    this.demand = findReasoningDemand(request)
    this.findTool = makeToolFinder(tools)
  }

  toJson(): ReadonlyArray<Json> {
    return this.items.toJson()
  }

  /** Marks open items as incomplete, as in an answer that broke off. */
  abandon(): void {
    this.items.abandon()
  }

  /** `logprobs` belong to the text of the event. */
  add(event: AnswerEvent, logprobs: ReadonlyArray<unknown> = []): void {
    if (!this.hasPlace(event)) {
      if (event.type === "media") this.omitted.push(event.media)
      return
    }
    this.logprobs = logprobs
    this.blocks.add(event)
  }

  /** An empty answer becomes one empty message. In an answer that is cut off, the last item is incomplete. */
  close(isCut: boolean): void {
    this.isCut = isCut
    this.blocks.endOpen()
    this.closeOpen(isCut)
    this.addLate(isCut)
    if (this.items.last === undefined) new MessageItem(this.items).end(isCut)
    this.blocks.end()
  }

  private hasPlace(event: AnswerEvent): boolean {
    const { wantsEncrypted, wantsText } = this.demand
    switch (event.type) {
      case "thought": {
        if (event.text === "") return wantsEncrypted && event.signature !== undefined
        return wantsEncrypted || wantsText
      }
      case "encrypted":
      // Signatures of calls and texts travel in items of their own.
      case "signature":
        return wantsEncrypted
      case "media":
        return isShownImage(event.media)
      case "call":
      case "citation":
      case "opaque":
      case "refusal":
      case "text":
        return true
    }
  }

  private begin(block: AnswerBlock): void {
    switch (block.type) {
      case "text":
      case "refusal":
        return this.openMessage().begin(block.type)
      case "thought":
      case "encrypted": {
        if (!(this.open instanceof ReasoningItem) || !this.open.takes(block)) {
          this.closeOpen(false)
          this.open = new ReasoningItem(this.items, this.demand, block)
        }
        return this.open.begin(block)
      }
      case "call":
        this.closeOpen(false)
        this.calls.set(block, new CallItem(this.items, block, this.toTool(block)))
        return
    }
  }

  private extend(block: AnswerBlock, text: string): void {
    const { open } = this
    if (block.type === "call") this.calls.get(block)?.extend(text)
    else if (open instanceof MessageItem) open.extend(text, this.logprobs)
    else if (block.type === "thought") open?.extend(block, text)
  }

  private end(block: AnswerBlock): void {
    if (block.type === "call") {
      const call = this.calls.get(block)
      call?.end(this.isCut && call.item === this.items.last)
    } else if (this.open instanceof MessageItem) this.open.endContent()
  }

  /** Citations belong to the last text, and are dropped without one. */
  private addWhole(event: Parameters<BlockRules["add"]>[0]): void {
    if (event.type === "citation") {
      if (this.message === undefined) return
      if (this.open === this.message) this.message.annotate(writeAnnotations([event.citation]))
      else this.late.push(event.citation)
    } else if (event.type === "media") {
      this.closeOpen(false)
      addImageItem(this.items, event.media.source)
    }
  }

  /** An empty text takes the citations that came after the item of their text had ended. */
  private addLate(isCut: boolean): void {
    if (this.late.length === 0) return
    const message = new MessageItem(this.items)
    message.begin("text")
    message.annotate(writeAnnotations(this.late))
    message.endContent()
    message.end(isCut)
  }

  private openMessage(): MessageItem {
    if (this.open instanceof MessageItem) return this.open
    this.closeOpen(false)
    const message = new MessageItem(this.items)
    this.open = message
    this.message = message
    return message
  }

  private closeOpen(isCut: boolean): void {
    this.open?.end(isCut)
    this.open = undefined
  }

  private toTool({ call: { name, namespace } }: CallBlock): CalledTool {
    return namespace === undefined ? this.findTool(name) : { name, namespace }
  }
}

/** Typed clients require all five fields. */
const writeAnnotations = (citations: ReadonlyArray<Citation>): ReadonlyArray<Json> =>
  citations.map(({ end = 0, start = 0, title = "", url }) => ({
    type: "url_citation",
    url,
    title,
    start_index: start,
    end_index: end
  }))
