/** Reads the untrusted events of a streamed answer of Google's API. */
import * as Result from "effect/Result"
import type { Part, ReasoningPart } from "../../conversation/Part.ts"
import type {
  ChatCall,
  ChatDelta,
  ChatEvent,
  ChatMetadata
} from "../../upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import {
  maxChoices,
  parseIndex,
  toInvalidAnswer,
  tooManyChoicesMessage
} from "../../upstreams/openaiChat/parseChatReply.ts"
import type { EventReader } from "../../upstreams/transport/EventDecoder.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { makeToolFinder } from "../CalledTool.ts"
import { writeReasoningDetails } from "../chat/reasoningDetails.ts"
import { geminiNames } from "../ToolNames.ts"
import { writeImage } from "./answerChoice.ts"
import { findGeminiFailure } from "./findGeminiFailure.ts"
import type { Json } from "./geminiFields.ts"
import { parseGeminiUsage } from "./geminiUsage.ts"
import { parseLogprobs } from "./logprobs.ts"
import { makeCallIds } from "./makeCallIds.ts"
import {
  type GeminiReadOptions,
  listCandidates,
  listParts,
  parseBlock,
  parseEnd,
  parseHead
} from "./parseGeminiAnswer.ts"
import { type CallReader, parsePart } from "./parseParts.ts"

export interface GeminiStreamOptions extends GeminiReadOptions {
  readonly onUsage?: ChatCall["onUsage"]
}

type Delta = ChatDelta["delta"]

/**
 * Each event is an answer of its own, with what is new. The body ends a stream, of which each candidate must have ended:
 * the usage may follow that.
 */
export const makeGeminiEventReader = ({
  callIdStem,
  onUsage,
  parseCost,
  tools = []
}: GeminiStreamOptions = {}): EventReader<ChatEvent> => {
  const findTool = makeToolFinder(tools, geminiNames)
  const candidates = new Map<number, CandidateReader>()
  let report: ChatMetadata = {}
  let head: Pick<ChatMetadata, "id" | "model"> = {}

  const getCandidate = (index: number): CandidateReader => {
    const known = candidates.get(index)
    if (known !== undefined) return known
    const makeId = makeCallIds(callIdStem ?? head.id ?? "", index)
    const candidate = new CandidateReader(index, { findTool, makeId })
    candidates.set(index, candidate)
    return candidate
  }

  const readCandidates = (
    found: ReadonlyArray<Json>
  ): ReadonlyArray<ChatEvent> | UpstreamFailure => {
    const events: Array<ChatEvent> = []
    for (const [position, json] of found.entries()) {
      const read = getCandidate(parseIndex(json, position)).read(json, report.usage)
      if (read instanceof UpstreamFailure) return read
      for (const delta of read) events.push({ type: "delta", choices: [delta] })
    }
    return events
  }

  /** Undefined: the answer broke off. */
  const toEnd = (): ChatEvent | UpstreamFailure | undefined => {
    if (candidates.size === 0) return toInvalidAnswer("the stream holds no answer", report.usage)
    return Array.from(candidates.values()).every(({ hasEnded }) => hasEnded)
      ? { type: "end", ...head, ...report }
      : undefined
  }

  return {
    read: (json) => {
      const later = parseGeminiUsage(json["usageMetadata"], parseCost)
      if (later.usage !== undefined) {
        report = later
        onUsage?.(later.usage)
      }
      head = { ...parseHead(json), ...head }
      const failure = findGeminiFailure(json, report.usage)
      if (failure !== undefined) return failure
      const blocked = parseBlock(json)
      if (blocked !== undefined) {
        const { explanation, nativeReason, reason } = blocked
        return { type: "delta", choices: [getCandidate(0).end(reason, nativeReason, explanation)] }
      }
      const found = listCandidates(json)
      if (found.length > maxChoices) return toInvalidAnswer(tooManyChoicesMessage, report.usage)
      const events = readCandidates(found)
      if (events instanceof UpstreamFailure || events.length === 0) {
        return events instanceof UpstreamFailure ? events : undefined
      }
      if (later.usage === undefined) onUsage?.(undefined)
      return events
    },
    done: () => toEnd() ?? toInvalidAnswer("the stream ended before its answer", report.usage),
    end: toEnd
  }
}

/** What has been read of one answer. */
class CandidateReader {
  hasEnded = false
  private hasOutput = false
  private calls = 0
  private details = 0
  /** The last part, if it is a thought that goes on until it is signed. */
  private thought: ReasoningPart | undefined
  private readonly index: number
  private readonly reader: CallReader

  constructor(index: number, reader: CallReader) {
    this.index = index
    this.reader = reader
  }

  read(json: Json, usage: ChatMetadata["usage"]): ReadonlyArray<ChatDelta> | UpstreamFailure {
    const deltas = listParts(json)
      .flatMap((part) => Result.getOrElse(parsePart(part, [], this.reader), () => []))
      .flatMap((part) => this.toDelta(part))
      .map((delta): ChatDelta => ({ index: this.index, delta, finishReason: null }))
    const logprobs = parseLogprobs(json["logprobsResult"])
    if (logprobs !== undefined) {
      const last = deltas.pop() ?? { index: this.index, delta: {}, finishReason: null }
      deltas.push({ ...last, logprobs })
    }
    const { hasOutput } = this
    const end = parseEnd(json, { hasCalls: this.calls > 0, hasOutput }, usage)
    if (end instanceof UpstreamFailure) return end
    if (end !== undefined) deltas.push(this.end(end.reason, end.nativeReason, end.explanation))
    return deltas
  }

  end(
    finishReason: string,
    nativeReason: string | undefined,
    explanation: string | undefined
  ): ChatDelta {
    this.hasEnded = true
    return {
      index: this.index,
      delta: {},
      finishReason,
      ...omitUndefined({
        nativeFinishReason: nativeReason,
        end: explanation === undefined ? undefined : { explanation }
      })
    }
  }

  private toDelta(part: Part): ReadonlyArray<Delta> {
    const details = this.toDetails(part)
    this.thought = part.type === "reasoning" ? part : undefined
    this.hasOutput = true
    switch (part.type) {
      case "text":
        return [{ ...(part.text === "" ? undefined : { content: part.text }), ...details }]
      case "reasoning":
        return [
          {
            ...(part.text === undefined || part.text === "" ? undefined : { reasoning: part.text }),
            ...details
          }
        ]
      case "call":
        return [{ tool_calls: [this.toCall(part)], ...details }]
      case "image":
        return [{ images: writeImage(part) }]
      // The dialect of the stream has no place for these.
      case "audio":
      case "file":
      case "opaque":
      case "refusal":
      case "result":
      case "video":
        return []
    }
  }

  /** The pieces of a thought share an index. */
  private toDetails(part: Part): Delta | undefined {
    const [detail] = writeReasoningDetails([part])
    if (detail === undefined) return undefined
    const { thought } = this
    const isContinuation =
      part.type === "reasoning" &&
      part.text !== undefined &&
      thought?.text !== undefined &&
      thought.signature === undefined &&
      thought.format === part.format &&
      thought.id === part.id
    const index = isContinuation ? this.details - 1 : this.details++
    return { reasoning_details: [{ ...detail, index }] }
  }

  private toCall({
    arguments: text,
    id,
    isCustom,
    name,
    namespace
  }: Extract<Part, { type: "call" }>) {
    return {
      index: this.calls++,
      id,
      ...(isCustom === true
        ? { type: "custom", custom: { name, input: text } }
        : { type: "function", function: { name, arguments: text } }),
      ...omitUndefined({ namespace })
    }
  }
}
