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
import { toReasoning, writeReasoningDetail } from "../chat/reasoningDetails.ts"
import { geminiNames } from "../ToolNames.ts"
import { writeImage } from "../chat/picturedChoice.ts"
import { findGeminiFailure } from "./findGeminiFailure.ts"
import type { Json } from "./geminiFields.ts"
import { parseGeminiUsage } from "./geminiUsage.ts"
import { parseLogprobs } from "./logprobs.ts"
import { makeCallIds } from "./makeCallIds.ts"
import {
  type GeminiReadOptions,
  listCandidates,
  listParts,
  noStem,
  parseBlock,
  parseEnd,
  parseHead
} from "./parseGeminiAnswer.ts"
import { type CallReader, parsePart } from "./parseParts.ts"
import { toCodeText, writeOtherParts } from "./writeOtherParts.ts"

export interface GeminiStreamOptions extends GeminiReadOptions {
  readonly onUsage?: ChatCall["onUsage"]
}

type Delta = ChatDelta["delta"]

/**
 * Each event is an answer of its own, with what is new. The body ends a stream, of which each candidate must have ended:
 * the usage may follow that.
 */
export const makeGeminiEventReader = ({
  makeCallIdStem = noStem,
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
    const makeId = makeCallIds(() => head.id ?? makeCallIdStem(), index)
    const candidate = new CandidateReader(index, { findTool, makeId })
    candidates.set(index, candidate)
    return candidate
  }

  const readCandidates = (
    found: ReadonlyArray<Json>
  ): ReadonlyArray<ChatEvent> | UpstreamFailure => {
    const events: Array<ChatEvent> = []
    let position = 0
    for (const json of found) {
      const candidate = getCandidate(parseIndex(json, position++))
      const failure = candidate.read(json, report.usage, events)
      if (failure !== undefined) return failure
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
      if (head.id === undefined || head.model === undefined) head = { ...parseHead(json), ...head }
      const failure = findGeminiFailure(json, report.usage)
      if (failure !== undefined) return failure
      const blocked = parseBlock(json)
      if (blocked !== undefined) {
        // Said again with the usage.
        if (getCandidate(0).hasEnded) return undefined
        const { explanation, nativeReason, reason } = blocked
        return toEvent(getCandidate(0).end(reason, nativeReason, explanation))
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

const toEvent = (delta: ChatDelta): ChatEvent => ({ type: "delta", choices: [delta] })

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

  /** Adds what is new to `events`. */
  read(
    json: Json,
    usage: ChatMetadata["usage"],
    events: Array<ChatEvent>
  ): UpstreamFailure | undefined {
    let last: ChatDelta | undefined
    for (const raw of listParts(json)) {
      const parsed = parsePart(raw, [], this.reader)
      if (Result.isFailure(parsed)) continue
      for (const part of parsed.success) {
        const delta = this.toDelta(part)
        if (delta === undefined) continue
        if (last !== undefined) events.push(toEvent(last))
        last = { index: this.index, delta, finishReason: null }
      }
    }
    const logprobs = parseLogprobs(json["logprobsResult"])
    if (logprobs !== undefined) {
      last = { ...(last ?? { index: this.index, delta: {}, finishReason: null }), logprobs }
    }
    if (last !== undefined) events.push(toEvent(last))
    const { hasOutput } = this
    const end = parseEnd(json, { hasCalls: this.calls > 0, hasOutput }, usage)
    if (end instanceof UpstreamFailure) return end
    if (end !== undefined) {
      events.push(toEvent(this.end(end.reason, end.nativeReason, end.explanation)))
    }
    return undefined
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

  private toDelta(part: Part): Delta | undefined {
    const details = this.toDetails(part)
    this.thought = part.type === "reasoning" ? part : undefined
    this.hasOutput = true
    switch (part.type) {
      case "text":
        return part.text === "" ? (details ?? {}) : { content: part.text, ...details }
      case "reasoning":
        return part.text === undefined || part.text === ""
          ? (details ?? {})
          : { reasoning: part.text, ...details }
      case "call":
        return { tool_calls: [this.toCall(part)], ...details }
      case "image":
        return { images: writeImage(part) }
      case "audio":
      case "file":
      case "video":
        return writeOtherParts([part])
      case "opaque": {
        const code = toCodeText(part)
        return code === undefined ? writeOtherParts([part]) : { content: code.text }
      }
      // No part of an answer becomes one.
      case "refusal":
      case "result":
        return undefined
    }
  }

  /** The pieces of a thought share an index. */
  private toDetails(part: Part): Delta | undefined {
    const reasoning = toReasoning(part)
    if (reasoning === undefined) return undefined
    const { thought } = this
    const isContinuation =
      part.type === "reasoning" &&
      part.text !== undefined &&
      thought?.text !== undefined &&
      thought.signature === undefined &&
      thought.format === part.format &&
      thought.id === part.id
    const index = isContinuation ? this.details - 1 : this.details++
    return { reasoning_details: [writeReasoningDetail(reasoning, index)] }
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
