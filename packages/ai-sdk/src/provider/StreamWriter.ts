/** Writes the chunks of a streamed chat as the parts of a stream. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import type { ChatChunk, ChatChunkDelta } from "@signalbox/core/contract"
import {
  type AnswerPiece,
  type CallPiece,
  ChatDeltaReader,
  type EncryptedPiece,
  isSigningFormat,
  parseImages,
  type Signature,
  type StreamedCall,
  type ThoughtPiece,
  type ToolFinder
} from "@signalbox/core/dialects"
import { writeReasoning, writeSignature } from "./partMetadata.ts"
import { writeMedia } from "./writeMedia.ts"
import { writeSources } from "./writeSources.ts"

type Parts = ReadonlyArray<LanguageModelV4StreamPart>

interface OpenText {
  readonly type: "text"
  readonly id: string
}

interface OpenReasoning {
  readonly type: "reasoning"
  readonly id: string
  /** The first piece; those with the same key belong to it. */
  readonly piece: ThoughtPiece
  signature: string | undefined
}

/** A call whose arguments arrive. */
interface OpenCall {
  /** Undefined until its id and its name are known. */
  id: string | undefined
  text: string
}

export class StreamWriter {
  /** The reasons of the router and of the provider; null until the answer ends. */
  finishReason: string | null = null
  nativeFinishReason: string | null = null
  readonly #findTool: ToolFinder
  readonly #reader = new ChatDeltaReader()
  readonly #calls = new Map<StreamedCall, OpenCall>()
  /** By the id of the call; that of a text has none. */
  readonly #signatures = new Map<string | undefined, Signature>()
  #pending: Array<LanguageModelV4StreamPart> = []
  #open: OpenReasoning | OpenText | undefined
  #blocks = 0

  constructor(findTool: ToolFinder) {
    this.#findTool = findTool
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0
  }

  /** A language model has one answer, so other choices are dropped. */
  write({ choices }: ChatChunk): Parts {
    for (const { delta, finish_reason, index, native_finish_reason } of choices) {
      if (index !== 0) continue
      this.#addDelta(delta)
      this.finishReason = finish_reason ?? this.finishReason
      this.nativeFinishReason = native_finish_reason ?? this.nativeFinishReason
    }
    return this.#take()
  }

  /** Calls are complete with the answer, and so are their signatures. */
  end(): Parts {
    // A signature without a text of its own still goes back.
    if (this.#signatures.has(undefined) && this.#open?.type !== "text") this.#openText()
    this.#close()
    for (const [call, open] of this.#calls) this.#endCall(call, open)
    return this.#take()
  }

  #addDelta(delta: ChatChunkDelta): void {
    for (const piece of this.#reader.read({ ...delta })) this.#add(piece)
    this.#pending.push(
      ...parseImages(delta.images).flatMap(writeMedia),
      ...writeSources(delta.annotations)
    )
  }

  #take(): Parts {
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
    const id = this.#drawId("text")
    this.#open = { type: "text", id }
    this.#pending.push({ type: "text-start", id })
    return id
  }

  #addThought(piece: ThoughtPiece): void {
    let open = this.#open
    if (open?.type !== "reasoning" || open.piece.key !== piece.key) {
      this.#close()
      open = { type: "reasoning", id: this.#drawId("reasoning"), piece, signature: undefined }
      this.#open = open
      this.#pending.push({ type: "reasoning-start", id: open.id, ...toReasoning(piece) })
    }
    open.signature = piece.signature ?? open.signature
    if (piece.text !== "") {
      this.#pending.push({ type: "reasoning-delta", id: open.id, delta: piece.text })
    }
  }

  /** Signatures of texts and calls come as encrypted reasoning; those of calls have the id of the call. */
  #addEncrypted(piece: EncryptedPiece): void {
    const { encrypted, format } = piece
    if (isSigningFormat(format)) {
      this.#signatures.set(piece.id, { format, value: encrypted })
      return
    }
    this.#close()
    const id = this.#drawId("reasoning")
    const metadata = writeReasoning(piece)
    this.#pending.push(
      { type: "reasoning-start", id, ...metadata },
      { type: "reasoning-end", id, ...metadata }
    )
  }

  #addCall({ call, text }: CallPiece): void {
    this.#close()
    let open = this.#calls.get(call)
    if (open === undefined) this.#calls.set(call, (open = { id: undefined, text: "" }))
    open.text += text
    if (open.id !== undefined) {
      if (text !== "") this.#pending.push({ type: "tool-input-delta", id: open.id, delta: text })
    } else if (call.id !== undefined && call.name !== undefined) {
      this.#startCall(call, open, call.id)
    }
  }

  #startCall(call: StreamedCall, open: OpenCall, id: string): void {
    open.id = id
    this.#pending.push({ type: "tool-input-start", id, toolName: this.#getName(call) })
    if (open.text !== "") {
      this.#pending.push({ type: "tool-input-delta", id, delta: open.text })
    }
  }

  #endCall(call: StreamedCall, open: OpenCall): void {
    if (open.id === undefined) this.#startCall(call, open, call.id ?? this.#drawId("call"))
    const id = open.id ?? ""
    this.#pending.push(
      { type: "tool-input-end", id },
      {
        type: "tool-call",
        toolCallId: id,
        toolName: this.#getName(call),
        // Providers may stream nothing for a call without arguments.
        input: open.text === "" ? "{}" : open.text,
        ...writeSignature(this.#signatures.get(id))
      }
    )
  }

  #getName({ name = "" }: StreamedCall): string {
    return this.#findTool(name).name
  }

  /** The signature of a text comes after it. */
  #close(): void {
    const open = this.#open
    this.#open = undefined
    if (open?.type === "text") {
      const signature = this.#signatures.get(undefined)
      this.#signatures.delete(undefined)
      this.#pending.push({ type: "text-end", id: open.id, ...writeSignature(signature) })
    } else if (open !== undefined) {
      const { id, piece, signature } = open
      this.#pending.push({ type: "reasoning-end", id, ...toReasoning(piece, signature) })
    }
  }

  #drawId(kind: string): string {
    return `${kind}-${this.#blocks++}`
  }
}

/** Of the metadata of a block, the AI SDK keeps that of its last part. */
const toReasoning = (
  { format, id, isSummary }: ThoughtPiece,
  signature?: string
): ReturnType<typeof writeReasoning> =>
  writeReasoning({
    format,
    ...(id === undefined ? undefined : { id }),
    ...(isSummary ? { isSummary } : undefined),
    ...(signature === undefined ? undefined : { signature })
  })
