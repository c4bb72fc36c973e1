/** Writes the pieces of a streamed answer as the parts of a stream. */
import type * as Response from "effect/ai/Response"
import { parseArguments } from "../dialects/callArguments.ts"
import { parseContent } from "../dialects/chat/parseContent.ts"
import {
  type AnswerPiece,
  ChatDeltaReader,
  type EncryptedPiece,
  type ThoughtPiece
} from "../dialects/messages/ChatDeltaReader.ts"
import { isSigningFormat } from "../dialects/reasoningFamily.ts"
import type { CallPiece, StreamedCall } from "../dialects/StreamedCalls.ts"
import type { ToolNames } from "../dialects/ToolNames.ts"
import type { ChatDeltaEvent } from "../upstreams/ChatCapability.ts"
import {
  type AnswerHead,
  type AnswerOutcome,
  writeFinish,
  writeResponseMetadata
} from "./answerEnd.ts"
import type { CallRecorder } from "../http/inProcess/CallRecorder.ts"
import type { SignatureMetadata } from "./partMetadata.ts"
import { toReasoningMetadata } from "./toReasoningMetadata.ts"
import { writeMedia } from "./writeMedia.ts"
import { writeSources } from "./writeSources.ts"

type Parts = ReadonlyArray<Response.StreamPartEncoded>

interface OpenText {
  readonly type: "text"
  readonly id: string
}

interface OpenReasoning {
  readonly type: "reasoning"
  readonly id: string
  /** Pieces with the same key belong to it. */
  readonly key: string
  readonly format: string
  signature: string | undefined
}

/** A call whose arguments arrive. */
interface OpenCall {
  /** Undefined until its id and its name are known. */
  id: string | undefined
  text: string
}

/** Writes one stream. A language model has one answer, so other choices are dropped. */
export class StreamPartWriter {
  readonly #head: AnswerHead
  readonly #names: ToolNames
  readonly #observer: CallRecorder
  readonly #reader = new ChatDeltaReader()
  readonly #calls = new Map<StreamedCall, OpenCall>()
  /** By the id of the call; that of a text has none. */
  readonly #signatures = new Map<string | undefined, { format: string; value: string }>()
  #pending: Array<Response.StreamPartEncoded> = []
  #open: OpenReasoning | OpenText | undefined
  #blocks = 0
  #finishReason: string | null = null
  #nativeFinishReason: string | undefined

  constructor(head: AnswerHead, names: ToolNames, observer: CallRecorder) {
    this.#head = head
    this.#names = names
    this.#observer = observer
    this.#pending.push(writeResponseMetadata(head))
  }

  write(events: ReadonlyArray<ChatDeltaEvent>): Parts {
    for (const { choices } of events) {
      for (const { delta, finishReason, index, nativeFinishReason } of choices) {
        if (index !== 0) continue
        for (const piece of this.#reader.read(delta)) this.#add(piece)
        this.#pending.push(
          ...parseContent(delta["images"]).flatMap(writeMedia),
          ...writeSources(delta["annotations"])
        )
        this.#finishReason = finishReason ?? this.#finishReason
        this.#nativeFinishReason = nativeFinishReason ?? this.#nativeFinishReason
      }
    }
    return this.#flush()
  }

  /** What follows the last piece of a complete answer. */
  end({ end, marks }: Pick<AnswerOutcome, "end" | "marks">): Parts {
    if (this.#signatures.has(undefined) && this.#open?.type !== "text") {
      // A signature without a text of its own still goes back.
      this.#openText()
    }
    this.#close()
    for (const [call, open] of this.#calls) this.#endCall(call, open)
    this.#pending.push(
      writeFinish(
        this.#head,
        {
          end,
          marks,
          finishReason: this.#finishReason,
          nativeFinishReason: this.#nativeFinishReason,
          hasCalls: this.#calls.size > 0
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

  #add(piece: AnswerPiece): void {
    switch (piece.type) {
      case "text":
        this.#pending.push({ type: "text-delta", id: this.#openText(), delta: piece.text })
        break
      case "thought":
        this.#addThought(piece)
        break
      case "encrypted":
        this.#addEncrypted(piece)
        break
      case "call":
        this.#addCall(piece)
        break
    }
  }

  #openText(): string {
    if (this.#open?.type === "text") return this.#open.id
    this.#close()
    const id = this.#drawBlockId("text")
    this.#open = { type: "text", id }
    this.#pending.push({ type: "text-start", id })
    return id
  }

  #addThought(piece: ThoughtPiece): void {
    const block = this.#openReasoning(piece)
    block.signature = piece.signature ?? block.signature
    if (piece.text !== "") {
      this.#pending.push({ type: "reasoning-delta", id: block.id, delta: piece.text })
    }
  }

  #openReasoning({ format, id: itemId, isSummary, key }: ThoughtPiece): OpenReasoning {
    if (this.#open?.type === "reasoning" && this.#open.key === key) return this.#open
    this.#close()
    const id = this.#drawBlockId("reasoning")
    const metadata = toReasoningMetadata({
      format,
      ...(isSummary ? { isSummary } : undefined),
      ...(itemId === undefined ? undefined : { id: itemId })
    })
    this.#pending.push({ type: "reasoning-start", id, metadata: { signalbox: metadata } })
    return (this.#open = { type: "reasoning", id, key, format, signature: undefined })
  }

  /** Signatures of texts and calls come as encrypted reasoning; those of calls have the id of the call. */
  #addEncrypted({ encrypted, format, id: itemId }: EncryptedPiece): void {
    if (isSigningFormat(format)) {
      this.#signatures.set(itemId, { format, value: encrypted })
      return
    }
    this.#close()
    const id = this.#drawBlockId("reasoning")
    const metadata = toReasoningMetadata({
      format,
      encrypted,
      ...(itemId === undefined ? undefined : { id: itemId })
    })
    this.#pending.push(
      { type: "reasoning-start", id, metadata: { signalbox: metadata } },
      { type: "reasoning-end", id }
    )
  }

  #addCall({ call, text }: CallPiece): void {
    this.#close()
    let open = this.#calls.get(call)
    if (open === undefined) this.#calls.set(call, (open = { id: undefined, text: "" }))
    open.text += text
    if (open.id !== undefined) {
      if (text !== "") this.#pending.push({ type: "tool-params-delta", id: open.id, delta: text })
    } else if (call.id !== undefined && call.name !== undefined) {
      this.#startCall(call, open, call.id)
    }
  }

  #startCall(call: StreamedCall, open: OpenCall, id: string): void {
    open.id = id
    this.#pending.push({ type: "tool-params-start", id, name: this.#getName(call) })
    if (open.text !== "") {
      this.#pending.push({ type: "tool-params-delta", id, delta: open.text })
    }
  }

  /** Calls are complete with the answer, and so are their signatures. */
  #endCall(call: StreamedCall, open: OpenCall): void {
    if (open.id === undefined) this.#startCall(call, open, call.id ?? this.#drawBlockId("call"))
    const id = open.id ?? ""
    const { isCustom } = call
    const params = parseArguments({
      arguments: open.text,
      ...(isCustom ? { isCustom } : undefined)
    })
    this.#pending.push(
      { type: "tool-params-end", id },
      {
        type: "tool-call",
        id,
        name: this.#getName(call),
        // What is no JSON fails the schema of the tool, whose failure mode decides.
        params: params ?? open.text,
        ...this.#takeSignature(id)
      }
    )
  }

  #getName({ name = "" }: StreamedCall): string {
    return this.#names.fromDialect(name).name
  }

  #close(): void {
    const open = this.#open
    this.#open = undefined
    if (open?.type === "text") {
      this.#pending.push({ type: "text-end", id: open.id, ...this.#takeSignature(undefined) })
    } else if (open !== undefined) {
      const { format, id, signature } = open
      this.#pending.push({
        type: "reasoning-end",
        id,
        ...(signature === undefined
          ? undefined
          : { metadata: { signalbox: { format, signature } } })
      })
    }
  }

  #takeSignature(
    id: string | undefined
  ): { readonly metadata: { readonly signalbox: SignatureMetadata } } | undefined {
    const signature = this.#signatures.get(id)
    if (signature === undefined) return undefined
    this.#signatures.delete(id)
    return { metadata: { signalbox: { signature } } }
  }

  #drawBlockId(kind: string): string {
    return `${kind}-${this.#blocks++}`
  }
}
