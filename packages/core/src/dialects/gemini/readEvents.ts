/** Reads the untrusted events of a streamed answer of Google's API. */
import * as Result from "effect/Result"
import type { AnswerEnd, AnswerEvent } from "../../conversation/Answer.ts"
import type { Part, ReasoningPart, Signature } from "../../conversation/Part.ts"
import type {
  ChatCall,
  ChatDelta,
  ChatEvent,
  ChatMetadata
} from "../../engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import {
  maxChoices,
  parseIndex,
  toInvalidAnswer,
  tooManyChoicesMessage
} from "../chat/readAnswer.ts"
import type { EventReader } from "../../engine/upstreams/transport/EventDecoder.ts"
import { makeToolFinder } from "../CalledTool.ts"
import { geminiNames } from "../ToolNames.ts"
import { findGeminiFailure } from "./findGeminiFailure.ts"
import type { Json } from "./geminiFields.ts"
import { addSearches, countSearches, parseGrounding, toServerCalls } from "./parseGrounding.ts"
import { parseGeminiUsage } from "./geminiUsage.ts"
import { parseLogprobs } from "./logprobs.ts"
import {
  type GeminiReadOptions,
  listCandidates,
  listParts,
  makeCallIds,
  noStem,
  parseBlock,
  parseEnd,
  parseHead,
  toCodeText
} from "./readAnswer.ts"
import { type CallReader, parsePart } from "./parseParts.ts"
import { findProviderPart } from "../chat/parseContent.ts"

export interface GeminiStreamOptions extends GeminiReadOptions {
  readonly onReport?: ChatCall["onReport"]
  readonly onUsage?: ChatCall["onUsage"]
}

/**
 * Each event is an answer with the new parts only. The stream ends with the body, by which each candidate must have
 * ended: the usage may follow the last candidate.
 */
export const makeGeminiEventReader = ({
  makeCallIdStem = noStem,
  onReport,
  onUsage,
  parseCost,
  tools = []
}: GeminiStreamOptions = {}): EventReader<ChatEvent> => {
  const findTool = makeToolFinder(tools, geminiNames)
  const candidates = new Map<number, CandidateReader>()
  let report: ChatMetadata = {}
  let searches = 0
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
      ? { type: "end", ...head, ...report, ...toServerCalls(searches) }
      : undefined
  }

  return {
    read: (json) => {
      // A later event may repeat the queries of an earlier one.
      const found = countSearches(json)
      const isNew = found > searches
      if (isNew) searches = found
      const later = addSearches(parseGeminiUsage(json["usageMetadata"], parseCost), searches)
      if (later.usage !== undefined) {
        report = later
        onUsage?.(later.usage)
      }
      if (head.id === undefined || head.model === undefined) head = { ...parseHead(json), ...head }
      if (isNew || later.usage !== undefined) {
        onReport?.({ ...head, ...report, ...toServerCalls(searches) })
      }
      const failure = findGeminiFailure(json, report.usage)
      if (failure !== undefined) return failure
      const blocked = parseBlock(json)
      if (blocked !== undefined) {
        // Said again with the usage.
        if (getCandidate(0).hasEnded) return undefined
        return toEvent(getCandidate(0).end(blocked))
      }
      const listed = listCandidates(json)
      if (listed.length > maxChoices) return toInvalidAnswer(tooManyChoicesMessage, report.usage)
      const events = readCandidates(listed)
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

/** Reads one answer of a stream. */
class CandidateReader {
  hasEnded = false
  private hasOutput = false
  private hasCalls = false
  private thoughts = 0
  /** The last part, if it is a thought that goes on until it is signed. */
  private thought: ReasoningPart | undefined
  private readonly index: number
  private readonly reader: CallReader
  /** The texts so far, which citations at the end may refer to by position. */
  private readonly texts: Array<string> = []
  /** The citations so far, which later events may repeat. */
  private cited: Set<string> | undefined

  constructor(index: number, reader: CallReader) {
    this.index = index
    this.reader = reader
  }

  /** Appends the new events to `events`. */
  read(
    json: Json,
    usage: ChatMetadata["usage"],
    events: Array<ChatEvent>
  ): UpstreamFailure | undefined {
    let last: ChatDelta | undefined
    const say = (said: Omit<ChatDelta, "index">): void => {
      if (last !== undefined) events.push(toEvent(last))
      last = { index: this.index, ...said }
    }
    for (const raw of listParts(json)) {
      const parsed = parsePart(raw, [], this.reader)
      if (Result.isFailure(parsed)) continue
      for (const part of parsed.success) {
        this.hasOutput = true
        const said = this.toEvents(part)
        if (said.length > 0) say({ events: said })
      }
    }
    const cited = this.readCitations(json)
    if (cited.length > 0) say({ events: cited })
    const logprobs = parseLogprobs(json["logprobsResult"])
    if (logprobs !== undefined) {
      last = { ...(last ?? { index: this.index, events: [] }), logprobs }
    }
    if (last !== undefined) events.push(toEvent(last))
    const { hasOutput } = this
    const end = parseEnd(json, { hasCalls: this.hasCalls, hasOutput }, usage)
    if (end instanceof UpstreamFailure) return end
    if (end !== undefined) events.push(toEvent(this.end(end)))
    return undefined
  }

  end(end: AnswerEnd): ChatDelta {
    this.hasEnded = true
    return { index: this.index, events: [], end }
  }

  private readCitations(json: Json): ReadonlyArray<AnswerEvent> {
    if (json["groundingMetadata"] === undefined && json["citationMetadata"] === undefined) return []
    const known = (this.cited ??= new Set())
    return parseGrounding(json, this.texts.join("")).flatMap((citation): Array<AnswerEvent> => {
      const key = JSON.stringify(citation)
      if (known.has(key)) return []
      known.add(key)
      return [{ type: "citation", citation }]
    })
  }

  private toEvents(part: Part): ReadonlyArray<AnswerEvent> {
    const before = this.thought
    this.thought = part.type === "reasoning" ? part : undefined
    switch (part.type) {
      case "text":
        return [...this.toText(part.text), ...toSignature(part.signature)]
      case "reasoning":
        return this.toThought(part, before)
      case "call": {
        this.hasCalls = true
        const { arguments: text, id, isCustom = false, name, namespace, signature } = part
        const call = { id, name, namespace, isCustom }
        return [{ type: "call", call, text }, ...toSignature(signature, id)]
      }
      case "audio":
      case "file":
      case "image":
      case "video":
        return [{ type: "media", media: part }]
      case "opaque": {
        const code = toCodeText(part)
        if (code === undefined) return findProviderPart(part) === undefined ? [] : [part]
        this.texts.push(code.text)
        return [{ ...part, text: code.text }]
      }
      // No part of an answer becomes one.
      case "refusal":
      case "result":
        return []
    }
  }

  private toText(text: string): ReadonlyArray<AnswerEvent> {
    if (text === "") return []
    this.texts.push(text)
    return [{ type: "text", text }]
  }

  /** A thought goes on until it is signed. */
  private toThought(part: ReasoningPart, before: ReasoningPart | undefined) {
    const { encrypted, format, id, isSummary = false, signature, text } = part
    const isContinuation =
      text !== undefined &&
      before?.text !== undefined &&
      before.signature === undefined &&
      before.format === format &&
      before.id === id
    if (!isContinuation) this.thoughts++
    const common = {
      key: `thought ${this.thoughts}`,
      format,
      ...(id === undefined ? undefined : { id })
    }
    const said: Array<AnswerEvent> = []
    if ((text ?? "") !== "" || signature !== undefined) {
      said.push({
        type: "thought",
        ...common,
        text: text ?? "",
        isSummary,
        ...(signature === undefined ? undefined : { signature })
      })
    }
    if (encrypted !== undefined) said.push({ type: "encrypted", ...common, encrypted })
    return said
  }
}

const toSignature = (
  signature: Signature | undefined,
  callId?: string
): ReadonlyArray<AnswerEvent> =>
  signature === undefined
    ? []
    : [{ type: "signature", signature, ...(callId === undefined ? undefined : { callId }) }]
