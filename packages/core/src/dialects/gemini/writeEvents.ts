/** Writes a streamed chat as the events of Google's API. Each event is an answer with the new parts only. */
import { constVoid } from "effect/Function"
import type {
  AnswerEnd,
  AnswerEvent,
  MediaEvent,
  SignatureEvent
} from "../../conversation/Answer.ts"
import type { ChatDelta, ChatDeltaEvent } from "../../engine/upstreams/ChatCapability.ts"
import type {
  AnswerBlock,
  BlockRules,
  CallBlock,
  EncryptedBlock,
  ThoughtBlock
} from "../AnswerBlock.ts"
import { AnswerBlocks } from "../AnswerBlocks.ts"
import type { UsageFacts } from "../AnswerFacts.ts"
import { makeToolFinder, type ToolFinder, writeArguments } from "../CalledTool.ts"
import { getExtraFields, type Json } from "./geminiFields.ts"
import { isGoogleFormat, writeThoughtSignature } from "./thoughtSignatures.ts"
import { type GeminiAnswerFacts, makeGeminiAnswer, writeCandidate } from "./writeAnswer.ts"
import { writeOpaque } from "./writeParts.ts"

/** The events of one stream; each method returns those that are to be sent. */
export interface GeminiEventWriter {
  readonly write: (event: ChatDeltaEvent) => ReadonlyArray<Json>
  /** Writes the end of a complete answer. */
  readonly end: (facts: UsageFacts) => ReadonlyArray<Json>
  /** Writes the end of an answer that broke off or reported an error: nothing follows. */
  readonly fail: (error: GeminiErrorFacts) => ReadonlyArray<Json>
}

/** JSON holds no line breaks. The body ends a stream. */
export const encodeGeminiEvent = (event: Json): string => `data: ${JSON.stringify(event)}\n\n`

interface Candidate {
  readonly parts: AnswerParts
  readonly end: AnswerEnd
}

/** Calls are written when they are whole, and the end of each answer when the usage of all is known. */
export const makeGeminiEventWriter = (facts: GeminiAnswerFacts): GeminiEventWriter => {
  const findTool = makeToolFinder(facts.tools ?? [])
  const candidates = new Map<number, Candidate>()
  let hasEnded = false

  const getCandidate = (index: number): Candidate =>
    candidates.get(index) ?? {
      parts: new AnswerParts(findTool),
      end: { reason: null }
    }

  const writeDelta = (choice: ChatDelta): ReadonlyArray<Json> => {
    const { end, events, index, logprobs } = choice
    const candidate = getCandidate(index)
    candidates.set(index, { ...candidate, end: { ...candidate.end, ...end } })
    const parts = candidate.parts.add(events)
    return parts.length === 0 && (logprobs ?? undefined) === undefined
      ? []
      : [writeCandidate(index, { parts, logprobs })]
  }

  return {
    write: ({ choices }) => {
      if (hasEnded) return []
      const written = choices.flatMap(writeDelta)
      return written.length === 0 ? [] : [makeGeminiAnswer(facts, written)]
    },
    end: (usage) => {
      if (hasEnded) return []
      hasEnded = true
      if (candidates.size === 0) candidates.set(0, getCandidate(0))
      const written = Array.from(candidates, ([index, { end, parts }]) =>
        writeCandidate(index, { parts: parts.close(), end })
      )
      return [makeGeminiAnswer(facts, written, usage)]
    },
    fail: (error) => {
      if (hasEnded) return []
      hasEnded = true
      return [writeGeminiError(error)]
    }
  }
}

/** The parts of one answer. Texts are sent at once; signed parts follow when they are whole. */
class AnswerParts {
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

interface GeminiErrorFacts {
  readonly status: number
  readonly message: string
  /** The precise kind of the error, as named by the router, such as `context_length_exceeded`. */
  readonly errorType?: string
  readonly retryAfterMillis?: number
  readonly metadata?: Json
}

/** The body of a response, and the last event of a stream that broke off. */
export const writeGeminiError = ({
  errorType,
  message,
  metadata,
  retryAfterMillis,
  status
}: GeminiErrorFacts): Json => {
  const details = [
    ...(errorType === undefined
      ? []
      : [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: errorType }]),
    ...(retryAfterMillis === undefined
      ? []
      : [
          {
            "@type": "type.googleapis.com/google.rpc.RetryInfo",
            retryDelay: `${retryAfterMillis / 1_000}s`
          }
        ])
  ]
  return {
    error: {
      code: status,
      message,
      status: toGeminiStatus(status),
      ...(details.length === 0 ? undefined : { details }),
      ...(metadata === undefined ? undefined : { metadata })
    }
  }
}

/** The `error.status` of an HTTP status. */
export const toGeminiStatus = (status: number): string =>
  nameByStatus.get(status) ?? (status >= 500 ? "INTERNAL" : "INVALID_ARGUMENT")

const nameByStatus: ReadonlyMap<number, string> = new Map([
  [401, "UNAUTHENTICATED"],
  [402, "FAILED_PRECONDITION"],
  [403, "PERMISSION_DENIED"],
  [404, "NOT_FOUND"],
  [408, "DEADLINE_EXCEEDED"],
  [409, "ABORTED"],
  [429, "RESOURCE_EXHAUSTED"],
  [499, "CANCELLED"],
  [501, "UNIMPLEMENTED"],
  [502, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
  [504, "DEADLINE_EXCEEDED"],
  [529, "UNAVAILABLE"]
])
