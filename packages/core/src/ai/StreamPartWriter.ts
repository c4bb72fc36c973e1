/** Writes the pieces of a streamed answer as the parts of a stream. */
import type * as Response from "effect/ai/Response"
import type { AnswerEnd } from "../conversation/Answer.ts"
import type { Signature } from "../conversation/Part.ts"
import type { AnswerBlock, CallBlock } from "../dialects/AnswerBlock.ts"
import { AnswerBlocks } from "../dialects/AnswerBlocks.ts"
import { parseArguments } from "../dialects/callArguments.ts"
import type { ToolNames } from "../dialects/ToolNames.ts"
import type { ChatDeltaEvent } from "../engine/upstreams/ChatCapability.ts"
import {
  type AnswerHead,
  type AnswerOutcome,
  writeFinish,
  writeResponseMetadata
} from "./answerEnd.ts"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import type { SignatureMetadata } from "./partMetadata.ts"
import { toReasoningMetadata } from "./toReasoningMetadata.ts"
import { writeMedia } from "./writeMedia.ts"
import { writeSources } from "./writeSources.ts"

type Parts = ReadonlyArray<Response.StreamPartEncoded>

/** Writes one stream. A language model has one answer, so other choices are dropped. */
export class StreamPartWriter {
  readonly #head: AnswerHead
  readonly #names: ToolNames
  readonly #observer: CallRecorder
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
  #pending: Array<Response.StreamPartEncoded> = []
  /** Of the last text or reasoning. */
  #id = ""
  #count = 0
  #end: AnswerEnd = { reason: null }

  constructor(head: AnswerHead, names: ToolNames, observer: CallRecorder) {
    this.#head = head
    this.#names = names
    this.#observer = observer
    this.#pending.push(writeResponseMetadata(head))
  }

  write(events: ReadonlyArray<ChatDeltaEvent>): Parts {
    for (const { choices } of events) {
      for (const { end, events, index } of choices) {
        if (index !== 0) continue
        for (const event of events) this.#blocks.add(event)
        this.#end = { ...this.#end, ...end }
      }
    }
    return this.#flush()
  }

  /** What follows the last piece of a complete answer. */
  end({ end, marks }: Pick<AnswerOutcome, "end" | "marks">): Parts {
    this.#blocks.end()
    this.#pending.push(
      writeFinish(
        this.#head,
        {
          end,
          marks,
          finishReason: this.#end.reason,
          nativeFinishReason: this.#end.nativeReason,
          hasCalls: this.#blocks.hasCalls
        },
        this.#observer
      )
    )
    return this.#flush()
  }

  #flush(): Parts {
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
      case "thought": {
        const { format, id, isSummary } = block
        this.#id = `reasoning-${this.#count++}`
        const signalbox = toReasoningMetadata({
          format,
          ...(isSummary ? { isSummary } : undefined),
          ...(id === undefined ? undefined : { id })
        })
        this.#pending.push({ type: "reasoning-start", id: this.#id, metadata: { signalbox } })
        return
      }
      // Written when it is whole.
      case "encrypted":
        return
      case "call":
        this.#pending.push({
          type: "tool-params-start",
          id: block.call.id,
          name: this.#getName(block)
        })
        return
    }
  }

  #extend(block: AnswerBlock, delta: string): void {
    if (block.type === "call") {
      this.#pending.push({ type: "tool-params-delta", id: block.call.id, delta })
    } else if (block.type === "thought") {
      this.#pending.push({ type: "reasoning-delta", id: this.#id, delta })
    } else this.#pending.push({ type: "text-delta", id: this.#id, delta })
  }

  #endBlock(block: AnswerBlock): void {
    switch (block.type) {
      case "text":
        this.#pending.push({ type: "text-end", id: this.#id, ...toSigned(block.signature) })
        return
      case "refusal":
        this.#pending.push({ type: "text-end", id: this.#id })
        return
      case "thought": {
        const { format, signature } = block
        this.#pending.push({
          type: "reasoning-end",
          id: this.#id,
          ...(signature === "" ? undefined : { metadata: { signalbox: { format, signature } } })
        })
        return
      }
      case "encrypted": {
        const { encrypted, format, id: itemId } = block
        const id = `reasoning-${this.#count++}`
        const signalbox = toReasoningMetadata({
          format,
          encrypted,
          ...(itemId === undefined ? undefined : { id: itemId })
        })
        this.#pending.push(
          { type: "reasoning-start", id, metadata: { signalbox } },
          { type: "reasoning-end", id }
        )
        return
      }
      case "call":
        return this.#endCall(block)
    }
  }

  #endCall(block: CallBlock): void {
    const { args, call, signature } = block
    const { id, isCustom } = call
    const params = parseArguments({
      arguments: args.text,
      ...(isCustom ? { isCustom } : undefined)
    })
    this.#pending.push(
      { type: "tool-params-end", id },
      {
        type: "tool-call",
        id,
        name: this.#getName(block),
        // What is no JSON fails the schema of the tool, whose failure mode decides.
        params: params ?? args.text,
        ...toSigned(signature)
      }
    )
  }

  #getName({ call }: CallBlock): string {
    return this.#names.fromDialect(call.name).name
  }
}

const toSigned = (
  signature: Signature | undefined
): { readonly metadata: { readonly signalbox: SignatureMetadata } } | undefined =>
  signature === undefined ? undefined : { metadata: { signalbox: { signature: { ...signature } } } }
