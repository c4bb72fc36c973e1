/** Writes the chunks of a streamed chat as the parts of a stream. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import type { ChatChunk } from "@signalbox/core/contract"
import {
  type AnswerBlock,
  AnswerBlocks,
  type CallBlock,
  makeChatDeltaReader,
  type ThoughtBlock,
  type ToolFinder
} from "@signalbox/core/dialects"
import { writeReasoning, writeSignature } from "./partMetadata.ts"
import { writeMedia } from "./writeMedia.ts"
import { writeSources } from "./writeSources.ts"

type Parts = ReadonlyArray<LanguageModelV4StreamPart>

export class StreamWriter {
  /** The reasons of the router and of the provider; null until the answer ends. */
  finishReason: string | null = null
  nativeFinishReason: string | null = null
  readonly #findTool: ToolFinder
  readonly #read = makeChatDeltaReader()
  readonly #blocks = new AnswerBlocks({
    calls: "together",
    holds: () => true,
    begin: (block) => this.#begin(block),
    extend: (block, text) => this.#extend(block, text),
    end: (block) => this.#endBlock(block),
    add: (event) => {
      if (event.type === "media") this.#pending.push(...writeMedia(event.media))
      if (event.type === "citation") this.#pending.push(...writeSources([event.citation]))
    }
  })
  #pending: Array<LanguageModelV4StreamPart> = []
  /** Of the last text or reasoning. */
  #id = ""
  #count = 0

  constructor(findTool: ToolFinder) {
    this.#findTool = findTool
  }

  get hasCalls(): boolean {
    return this.#blocks.hasCalls
  }

  /** A language model has one answer, so other choices are dropped. */
  write({ choices }: ChatChunk): Parts {
    for (const { delta, finish_reason, index, native_finish_reason } of choices) {
      if (index !== 0) continue
      for (const event of this.#read({ ...delta })) this.#blocks.add(event)
      this.finishReason = finish_reason ?? this.finishReason
      this.nativeFinishReason = native_finish_reason ?? this.nativeFinishReason
    }
    return this.#take()
  }

  /** What is complete with the answer. */
  end(): Parts {
    this.#blocks.end()
    return this.#take()
  }

  #take(): Parts {
    const parts = this.#pending
    this.#pending = []
    return parts
  }

  #begin(block: AnswerBlock): void {
    switch (block.type) {
      case "text":
      case "refusal":
        this.#id = `text-${this.#count++}`
        this.#pending.push({ type: "text-start", id: this.#id })
        return
      case "thought":
        this.#id = `reasoning-${this.#count++}`
        this.#pending.push({ type: "reasoning-start", id: this.#id, ...toReasoning(block) })
        return
      // Written when it is whole.
      case "encrypted":
        return
      case "call": {
        const toolName = this.#getName(block)
        this.#pending.push({ type: "tool-input-start", id: block.call.id, toolName })
        return
      }
    }
  }

  #extend(block: AnswerBlock, delta: string): void {
    if (block.type === "call") {
      this.#pending.push({ type: "tool-input-delta", id: block.call.id, delta })
    } else if (block.type === "thought") {
      this.#pending.push({ type: "reasoning-delta", id: this.#id, delta })
    } else this.#pending.push({ type: "text-delta", id: this.#id, delta })
  }

  #endBlock(block: AnswerBlock): void {
    switch (block.type) {
      case "text":
        this.#pending.push({ type: "text-end", id: this.#id, ...writeSignature(block.signature) })
        return
      case "refusal":
        this.#pending.push({ type: "text-end", id: this.#id })
        return
      case "thought":
        this.#pending.push({ type: "reasoning-end", id: this.#id, ...toReasoning(block) })
        return
      case "encrypted": {
        const { encrypted, format, id: itemId } = block
        const id = `reasoning-${this.#count++}`
        const metadata = writeReasoning({
          format,
          encrypted,
          ...(itemId === undefined ? undefined : { id: itemId })
        })
        this.#pending.push(
          { type: "reasoning-start", id, ...metadata },
          { type: "reasoning-end", id, ...metadata }
        )
        return
      }
      case "call":
        return this.#endCall(block)
    }
  }

  #endCall(block: CallBlock): void {
    const { args, call, signature } = block
    this.#pending.push(
      { type: "tool-input-end", id: call.id },
      {
        type: "tool-call",
        toolCallId: call.id,
        toolName: this.#getName(block),
        // Providers may stream nothing for a call without arguments.
        input: args.text === "" ? "{}" : args.text,
        ...writeSignature(signature)
      }
    )
  }

  #getName({ call }: CallBlock): string {
    return this.#findTool(call.name).name
  }
}

/** Of the metadata of a block, the AI SDK keeps that of its last part. */
const toReasoning = ({
  format,
  id,
  isSummary,
  signature
}: ThoughtBlock): ReturnType<typeof writeReasoning> =>
  writeReasoning({
    format,
    ...(id === undefined ? undefined : { id }),
    ...(isSummary ? { isSummary } : undefined),
    ...(signature === "" ? undefined : { signature })
  })
