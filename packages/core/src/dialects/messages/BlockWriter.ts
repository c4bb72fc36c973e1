/** Writes the content blocks of a streamed message: one after the other, each started, continued and stopped. */
import type { ToolFinder } from "../CalledTool.ts"
import type { NamedEvent } from "../NamedEvent.ts"
import type { StreamedCall } from "../StreamedCalls.ts"
import { type InputWriter, makeJsonInputWriter, makeTextInputWriter } from "./InputWriter.ts"
import type { EncryptedPiece, TextPiece, ThoughtPiece } from "./ChatDeltaReader.ts"
import { isAnthropicFormat, writeRedactedThinking, writeSignature } from "./thinkingBlocks.ts"

type Json = Readonly<Record<string, unknown>>

/** The block that is open; `encrypted` is written as a whole when it is closed. */
type OpenBlock =
  | { readonly type: "call"; readonly call: StreamedCall; readonly input: InputWriter }
  | { readonly type: "encrypted"; readonly piece: EncryptedPiece; readonly encrypted: string }
  | { readonly type: "text" }
  | {
      readonly type: "thought"
      readonly piece: ThoughtPiece
      readonly signature: string
      readonly encrypted: string
    }

export class BlockWriter {
  private readonly messageId: string
  private readonly findTool: ToolFinder
  private index = -1
  private open: OpenBlock | undefined
  private readonly events: Array<NamedEvent> = []
  /** The number of characters of the answer so far. */
  characters = 0
  hasCalls = false

  constructor(messageId: string, findTool: ToolFinder) {
    this.messageId = messageId
    this.findTool = findTool
  }

  /** The events since the last call. */
  takeEvents(): ReadonlyArray<NamedEvent> {
    return this.events.splice(0)
  }

  writeText({ text }: TextPiece): void {
    if (this.open?.type !== "text") {
      this.close()
      this.start({ type: "text", text: "", citations: null })
      this.open = { type: "text" }
    }
    this.characters += text.length
    this.sendDelta({ type: "text_delta", text })
  }

  writeThought(piece: ThoughtPiece): void {
    const { key, signature = "", text } = piece
    if (this.open?.type !== "thought" || this.open.piece.key !== key) {
      this.close()
      this.start({ type: "thinking", thinking: "", signature: "" })
      this.open = { type: "thought", piece, signature, encrypted: "" }
    } else {
      // Details that come late, such as the id, count too.
      this.open = {
        ...this.open,
        piece: { ...this.open.piece, ...piece },
        signature: this.open.signature + signature
      }
    }
    this.characters += text.length
    if (text !== "") this.sendDelta({ type: "thinking_delta", thinking: text })
  }

  /** What is encrypted goes with the open text of the same item. */
  writeEncrypted(piece: EncryptedPiece): void {
    const { open } = this
    const { encrypted, format, id, key } = piece
    if (open?.type === "encrypted" && open.piece.key === key) {
      this.open = { ...open, encrypted: open.encrypted + encrypted }
    } else if (
      open?.type === "thought" &&
      id !== undefined &&
      open.piece.id === id &&
      open.piece.format === format &&
      !isAnthropicFormat(format)
    ) {
      this.open = { ...open, encrypted: open.encrypted + encrypted }
    } else {
      this.close()
      this.open = { type: "encrypted", piece, encrypted }
    }
  }

  startCall(call: StreamedCall): void {
    this.close()
    this.hasCalls = true
    this.start({
      type: "tool_use",
      id: call.id ?? `toolu_${this.messageId}_${this.index + 1}`,
      name: this.findTool(call.name ?? "").name,
      input: {}
    })
    const input = call.isCustom ? makeTextInputWriter() : makeJsonInputWriter()
    this.open = { type: "call", call, input }
  }

  /** Continues the open call. */
  writeInput(text: string): void {
    if (this.open?.type !== "call" || text === "") return
    this.characters += text.length
    this.sendInput(this.open.input.push(text))
  }

  isOpen(call: StreamedCall): boolean {
    return this.open?.type === "call" && this.open.call === call
  }

  /** Whether more of the open call is to come, so that closing it could cut it. */
  isUnfinished(): boolean {
    return this.open?.type === "call" && !this.open.input.isComplete()
  }

  /** Whether there is any of the arguments of the open call. */
  hasInput(): boolean {
    return this.open?.type === "call" && this.open.input.hasStarted()
  }

  close(): void {
    const { open } = this
    this.open = undefined
    switch (open?.type) {
      case undefined:
        return
      case "text":
        break
      case "call":
        this.sendInput(open.input.end())
        break
      case "thought": {
        const { piece, ...rest } = open
        const signature = writeSignature({
          format: piece.format,
          ...(piece.id === undefined ? undefined : { id: piece.id }),
          ...(piece.isSummary ? { isSummary: true } : undefined),
          ...(rest.signature === "" ? undefined : { signature: rest.signature }),
          ...(rest.encrypted === "" ? undefined : { encrypted: rest.encrypted })
        })
        if (signature !== "") this.sendDelta({ type: "signature_delta", signature })
        break
      }
      case "encrypted": {
        const { encrypted, piece } = open
        const { format, id } = piece
        this.start(
          writeRedactedThinking({ format, encrypted, ...(id === undefined ? undefined : { id }) })
        )
        break
      }
    }
    this.events.push({ type: "content_block_stop", index: this.index })
  }

  private start(block: Json): void {
    this.index++
    this.events.push({ type: "content_block_start", index: this.index, content_block: block })
  }

  private sendDelta(delta: Json): void {
    this.events.push({ type: "content_block_delta", index: this.index, delta })
  }

  private sendInput(text: string): void {
    if (text !== "") this.sendDelta({ type: "input_json_delta", partial_json: text })
  }
}
