/** Puts the pieces of a streamed chat together to parts of Google's API, which has no pieces of calls. */
import { writeArguments } from "../callArguments.ts"
import type { ToolFinder } from "../CalledTool.ts"
import {
  type AnswerPiece,
  ChatDeltaReader,
  type EncryptedPiece,
  type ThoughtPiece
} from "../messages/ChatDeltaReader.ts"
import type { StreamedCall } from "../StreamedCalls.ts"
import { parseImages } from "../chat/picturedChoice.ts"
import type { Json } from "./geminiFields.ts"
import { StreamedArguments } from "./StreamedArguments.ts"
import { isGoogleFormat, writeThoughtSignature } from "./thoughtSignatures.ts"

/** What is open: more of it may come. */
type OpenThought =
  | { readonly type: "encrypted"; readonly piece: EncryptedPiece; readonly encrypted: string }
  | { readonly type: "thought"; readonly piece: ThoughtPiece; readonly signature: string }

interface OpenCall {
  readonly call: StreamedCall
  readonly args: StreamedArguments
}

/** The parts of one answer. */
export class AnswerParts {
  private readonly deltas = new ChatDeltaReader()
  private readonly findTool: ToolFinder
  private readonly makeId: () => string
  private parts: Array<Json> = []
  private thought: OpenThought | undefined
  private readonly calls = new Map<StreamedCall, OpenCall>()
  /** Calls whose part was taken. */
  private readonly written = new Set<StreamedCall>()
  /** Google's signatures of calls, by the ids of these. */
  private readonly signatures = new Map<string, string>()

  constructor(findTool: ToolFinder, makeId: () => string) {
    this.findTool = findTool
    this.makeId = makeId
  }

  /** The parts that are whole now. */
  add(delta: Json): ReadonlyArray<Json> {
    const textSignatures: Array<string> = []
    for (const piece of this.deltas.read(delta)) {
      if (piece.type === "encrypted" && isGoogleFormat(piece.format)) {
        if (piece.id === undefined) textSignatures.push(piece.encrypted)
        else this.signatures.set(piece.id, piece.encrypted)
      } else this.addPiece(piece)
    }
    this.addImages(delta["images"])
    for (const signature of textSignatures) this.signText(signature)
    return this.take()
  }

  /** The parts that were still open. */
  close(): ReadonlyArray<Json> {
    this.closeThought()
    for (const open of this.calls.values()) this.writeCall(open)
    this.calls.clear()
    return this.take()
  }

  private take(): ReadonlyArray<Json> {
    const { parts } = this
    this.parts = []
    return parts
  }

  private addPiece(piece: AnswerPiece): void {
    switch (piece.type) {
      case "text":
        this.closeThought()
        this.writeWholeCalls()
        this.parts.push({ text: piece.text })
        return
      case "thought":
        return this.addThought(piece)
      case "encrypted":
        return this.addEncrypted(piece)
      case "call":
        this.closeThought()
        return this.addCall(piece.call, piece.text)
    }
  }

  /** Texts are said at once; what was signed follows when all of it is known. */
  private addThought(piece: ThoughtPiece): void {
    const { thought } = this
    const isSame = thought?.type === "thought" && thought.piece.key === piece.key
    if (!isSame) {
      this.closeThought()
      this.writeWholeCalls()
    }
    this.thought = {
      type: "thought",
      piece: isSame ? { ...thought.piece, ...piece } : piece,
      signature: (isSame ? thought.signature : "") + (piece.signature ?? "")
    }
    if (piece.text !== "") this.parts.push({ text: piece.text, thought: true })
  }

  private addEncrypted(piece: EncryptedPiece): void {
    const { thought } = this
    const isSame = thought?.type === "encrypted" && thought.piece.key === piece.key
    if (!isSame) {
      this.closeThought()
      this.writeWholeCalls()
    }
    this.thought = {
      type: "encrypted",
      piece,
      encrypted: (isSame ? thought.encrypted : "") + piece.encrypted
    }
  }

  private closeThought(): void {
    const { thought } = this
    this.thought = undefined
    if (thought === undefined) return
    const { format, id } = thought.piece
    const thoughtSignature = writeThoughtSignature({
      format,
      ...(id === undefined ? undefined : { id }),
      ...(thought.type === "encrypted" ? { encrypted: thought.encrypted } : undefined),
      ...(thought.type === "thought" && thought.piece.isSummary ? { isSummary: true } : undefined),
      ...(thought.type === "thought" && thought.signature !== ""
        ? { signature: thought.signature }
        : undefined)
    })
    if (thoughtSignature === undefined) return
    const last = this.parts.at(-1)
    // The thought itself, when it was said just now.
    if (thought.type === "thought" && last?.["thought"] === true && isUnsigned(last)) {
      this.parts[this.parts.length - 1] = { ...last, thoughtSignature }
    } else this.parts.push({ text: "", thought: true, thoughtSignature })
  }

  private addCall(call: StreamedCall, text: string): void {
    if (this.written.has(call)) return
    const open = this.calls.get(call) ?? { call, args: new StreamedArguments() }
    this.calls.set(call, open)
    open.args.add(text)
  }

  /** What follows calls comes after them, unless their arguments are cut or still to come. */
  private writeWholeCalls(): void {
    for (const open of this.calls.values()) {
      const { isCustom, name } = open.call
      if (name === undefined || !(isCustom || open.args.isWhole())) return
      this.writeCall(open)
      this.calls.delete(open.call)
    }
  }

  /** A call without a name is none. */
  private writeCall({ args, call }: OpenCall): void {
    this.written.add(call)
    const { id = this.makeId(), isCustom, name } = call
    if (name === undefined) return
    const thoughtSignature = this.signatures.get(id)
    this.parts.push({
      functionCall: {
        id,
        name: this.findTool(name).name,
        args: writeArguments({
          arguments: args.text,
          ...(isCustom ? { isCustom } : undefined)
        })
      },
      ...(thoughtSignature === undefined ? undefined : { thoughtSignature })
    })
  }

  /** Of the text that was said with it, else of a part without text. */
  private signText(thoughtSignature: string): void {
    const last = this.parts.at(-1)
    if (last !== undefined && last["thought"] !== true && isUnsigned(last)) {
      this.parts[this.parts.length - 1] = { ...last, thoughtSignature }
    } else {
      this.closeThought()
      this.parts.push({ text: "", thoughtSignature })
    }
  }

  private addImages(images: unknown): void {
    for (const { source } of parseImages(images)) {
      if (source.type !== "base64") continue
      this.closeThought()
      this.writeWholeCalls()
      this.parts.push({ inlineData: { mimeType: source.mediaType, data: source.data } })
    }
  }
}

const isUnsigned = (part: Json): boolean =>
  typeof part["text"] === "string" && part["thoughtSignature"] === undefined
