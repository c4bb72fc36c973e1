/** Puts the pieces of a streamed chat together to parts of Google's API, which has no pieces of calls. */
import { constVoid } from "effect/Function"
import type { AnswerEvent, MediaEvent, SignatureEvent } from "../../conversation/AnswerEvent.ts"
import type {
  AnswerBlock,
  BlockRules,
  CallBlock,
  EncryptedBlock,
  ThoughtBlock
} from "../AnswerBlock.ts"
import { AnswerBlocks } from "../AnswerBlocks.ts"
import { type ToolFinder, writeArguments } from "../CalledTool.ts"
import { type Json, getExtraFields } from "./geminiFields.ts"
import { isGoogleFormat, writeThoughtSignature } from "./thoughtSignatures.ts"
import { writeOpaque } from "./writeParts.ts"

/** The parts of one answer. Texts are sent at once; signed parts follow when they are whole. */
export class AnswerParts {
  private readonly findTool: ToolFinder
  private readonly blocks = new AnswerBlocks({
    calls: "whole",
    hasOpaque: true,
    holds: ({ signature }) => isGoogleFormat(signature.format),
    begin: constVoid,
    extend: (block, text) => this.extend(block, text),
    end: (block) => this.end(block),
    add: (event) => this.addWhole(event)
  })
  private parts: Array<Json> = []

  constructor(findTool: ToolFinder) {
    this.findTool = findTool
  }

  /** The parts that are whole now. */
  add(events: ReadonlyArray<AnswerEvent>): ReadonlyArray<Json> {
    for (const event of events) {
      if (isTextSignature(event)) this.signText(event.signature.value)
      else if (hasPlace(event)) this.blocks.add(event)
    }
    return this.take()
  }

  /** The parts that were still open. */
  close(): ReadonlyArray<Json> {
    this.blocks.end()
    return this.take()
  }

  private take(): ReadonlyArray<Json> {
    const { parts } = this
    this.parts = []
    return parts
  }

  private extend(block: AnswerBlock, text: string): void {
    if (block.type === "thought") this.parts.push({ text, thought: true })
    else if (block.type !== "call") this.parts.push({ text })
  }

  private end(block: AnswerBlock): void {
    if (block.type === "call") this.writeCall(block)
    else if (block.type === "thought" || block.type === "encrypted") this.signThought(block)
  }

  private addWhole(event: Parameters<BlockRules["add"]>[0]): void {
    if (event.type === "media") this.parts.push(...writeMedia(event))
    else if (event.type === "opaque") this.parts.push(...writeOpaque(event))
  }

  private signThought(block: EncryptedBlock | ThoughtBlock): void {
    const { encrypted, format, id } = block
    const thoughtSignature = writeThoughtSignature({
      format,
      ...(id === undefined ? undefined : { id }),
      ...(encrypted === "" ? undefined : { encrypted }),
      ...(block.type === "thought" && block.isSummary ? { isSummary: true } : undefined),
      ...(block.type === "thought" && block.signature !== ""
        ? { signature: block.signature }
        : undefined)
    })
    if (thoughtSignature === undefined) return
    const last = this.parts.at(-1)
    // Signs the thought itself if it is the last part.
    if (block.type === "thought" && last?.["thought"] === true && isUnsigned(last)) {
      this.parts[this.parts.length - 1] = { ...last, thoughtSignature }
    } else this.parts.push({ text: "", thought: true, thoughtSignature })
  }

  private writeCall({ args, call, signature }: CallBlock): void {
    const { id, isCustom, name } = call
    this.parts.push({
      functionCall: {
        id,
        name: this.findTool(name).name,
        args: writeArguments({
          arguments: args.text,
          ...(isCustom ? { isCustom } : undefined)
        })
      },
      ...(signature === undefined ? undefined : { thoughtSignature: signature.value })
    })
  }

  /** Signs the text of the same event, else a part without text: the text may be sent already. */
  private signText(thoughtSignature: string): void {
    const last = this.parts.at(-1)
    if (last !== undefined && last["thought"] !== true && isUnsigned(last)) {
      this.parts[this.parts.length - 1] = { ...last, thoughtSignature }
    } else {
      this.blocks.endOpen()
      this.parts.push({ text: "", thoughtSignature })
    }
  }
}

const isTextSignature = (event: AnswerEvent): event is SignatureEvent =>
  event.type === "signature" && event.callId === undefined && isGoogleFormat(event.signature.format)

/** Citations have a place beside the parts, which this writer does not fill. */
const hasPlace = (event: AnswerEvent): boolean => {
  if (event.type === "media") return event.media.source.type === "base64"
  if (event.type === "opaque") return writeOpaque(event).length > 0
  return event.type !== "citation"
}

const writeMedia = ({ media }: MediaEvent): ReadonlyArray<Json> =>
  media.source.type === "base64"
    ? [
        {
          inlineData: { mimeType: media.source.mediaType, data: media.source.data },
          ...getExtraFields(media.extra)
        }
      ]
    : []

const isUnsigned = (part: Json): boolean =>
  typeof part["text"] === "string" && part["thoughtSignature"] === undefined
