/** Parses an untrusted answer of Google's API. */
import * as Result from "effect/Result"
import type { AnswerEnd } from "../../conversation/Answer.ts"
import type { Tool } from "../../conversation/Conversation.ts"
import type { Part, TextPart } from "../../conversation/Part.ts"
import type { ChatChoice, ChatMetadata, ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import { UpstreamFailure, makeFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import {
  isShortText,
  maxChoices,
  parseIndex,
  toInvalidAnswer,
  tooManyChoicesMessage
} from "../chat/readAnswer.ts"
import type { CostParser } from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { type ToolFinder, makeToolFinder } from "../CalledTool.ts"
import { type IdRules, messagesIds, responsesIds, toDialectId } from "../toDialectId.ts"
import { findText } from "../UntranslatableRequest.ts"
import { geminiNames } from "../ToolNames.ts"
import { addCitations } from "../chat/parseChatAnswer.ts"
import { findGeminiFailure } from "./findGeminiFailure.ts"
import { parseFinishReason, type SaidSoFar } from "./finishReasons.ts"
import { type Json, toCamelCase } from "./geminiFields.ts"
import { addSearches, countSearches, parseGrounding } from "./parseGrounding.ts"
import { parseGeminiUsage } from "./geminiUsage.ts"
import { parseLogprobs } from "./logprobs.ts"
import { parsePart } from "./parseParts.ts"

export interface GeminiReadOptions {
  /** The tools of the request, whose calls get the names of the caller back. */
  readonly tools?: ReadonlyArray<Tool>
  /** Absent: the provider reports no trusted cost. */
  readonly parseCost?: CostParser
  /**
   * Makes a prefix for the ids of calls that arrive without ids, which is unique for an answer that has no id either.
   */
  readonly makeCallIdStem?: (() => string) | undefined
}

/** The answer in `json`, or the error in it. A prompt that was blocked is an answer that says nothing. */
export const parseGeminiAnswer = (
  json: unknown,
  { makeCallIdStem = noStem, parseCost, tools = [] }: GeminiReadOptions = {}
): Result.Result<ChatReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toInvalidAnswer("the answer is not a JSON object"))
  const report = addSearches(
    parseGeminiUsage(json["usageMetadata"], parseCost),
    countSearches(json)
  )
  const failure = findGeminiFailure(json, report.usage)
  if (failure !== undefined) return Result.fail(failure)
  const head = parseHead(json)
  const blocked = parseBlock(json)
  if (blocked !== undefined) {
    return Result.succeed({
      choices: [{ index: 0, answer: { parts: [], end: blocked } }],
      ...report,
      ...head
    })
  }
  const candidates = listCandidates(json)
  if (candidates.length === 0 || candidates.length > maxChoices) {
    const problem =
      candidates.length === 0 ? "the answer holds no candidate" : tooManyChoicesMessage
    return Result.fail(toInvalidAnswer(problem, report.usage))
  }
  const findTool = makeToolFinder(tools, geminiNames)
  const choices: Array<ChatChoice> = []
  for (const candidate of candidates) {
    const index = parseIndex(candidate, choices.length)
    const makeId = makeCallIds(() => head.id ?? makeCallIdStem(), index)
    const choice = parseCandidate(candidate, index, report.usage, { findTool, makeId })
    if (choice instanceof UpstreamFailure) return Result.fail(choice)
    choices.push(choice)
  }
  return Result.succeed({ choices, ...report, ...head })
}

/**
 * Makes ids for calls of an answer that arrive without ids. `getStem` tells this answer from others, such as by its
 * id, because a conversation holds the calls of several.
 */
export const makeCallIds = (getStem: () => string, candidate: number): (() => string) => {
  let stem: string | undefined
  let calls = 0
  return () => {
    stem ??= getStem()
    return toDialectId(`call_${stem}_${candidate}_${calls++}`, anyDialect)
  }
}

/** Rules that satisfy every dialect. */
const anyDialect: IdRules = {
  maxLength: responsesIds.maxLength,
  refused: messagesIds.refused
}

export const noStem = (): string => ""

export const parseHead = ({
  modelVersion,
  responseId
}: Json): Pick<ChatMetadata, "id" | "model"> => ({
  ...(isShortText(responseId) ? { id: responseId } : undefined),
  ...(isShortText(modelVersion) ? { model: modelVersion } : undefined)
})

export const listCandidates = ({ candidates }: Json): ReadonlyArray<Json> => {
  if (!Array.isArray(candidates)) return []
  return candidates.every(isObject) ? candidates : candidates.filter(isObject)
}

/** How an answer ends whose prompt was blocked; undefined: it was not. */
export const parseBlock = (json: Json): AnswerEnd | undefined => {
  const feedback = json["promptFeedback"]
  const reason = isObject(feedback) ? findText(feedback, "blockReason") : undefined
  if (!isObject(feedback) || reason === undefined || listCandidates(json).length > 0) {
    return undefined
  }
  return {
    reason: "content_filter",
    nativeReason: reason,
    ...omitUndefined({ explanation: findText(feedback, "blockReasonMessage") })
  }
}

export const listParts = ({ content }: Json): ReadonlyArray<unknown> =>
  isObject(content) && Array.isArray(content["parts"]) ? content["parts"] : []

/** Undefined before the end. */
export const parseEnd = (
  candidate: Json,
  said: SaidSoFar,
  usage: ChatMetadata["usage"]
): AnswerEnd | UpstreamFailure | undefined => {
  const nativeReason = findText(candidate, "finishReason")
  if (nativeReason === undefined || nativeReason === "") return undefined
  const reason = parseFinishReason(nativeReason, said)
  const explanation = findText(candidate, "finishMessage")
  if (reason === "error") {
    const message = explanation ?? `the answer ended with ${nativeReason}`
    return makeFailure({ kind: "server_error", message, usage })
  }
  return {
    reason,
    nativeReason,
    ...(reason === "content_filter" ? omitUndefined({ explanation }) : undefined)
  }
}

const parseCandidate = (
  candidate: Json,
  index: number,
  usage: ChatMetadata["usage"],
  calls: { readonly findTool: ToolFinder; readonly makeId: () => string }
): ChatChoice | UpstreamFailure => {
  const parts: Array<Part> = []
  for (const part of listParts(candidate)) {
    const parsed = parsePart(part, [], calls)
    // An invalid part is left out: the rest of the answer stays usable.
    if (Result.isSuccess(parsed)) parts.push(...parsed.success.map(withText))
  }
  const hasCalls = parts.some(({ type }) => type === "call")
  const hasOutput = parts.length > 0
  const end = parseEnd(candidate, { hasCalls, hasOutput }, usage)
  if (end instanceof UpstreamFailure) return end
  if (end === undefined && !hasOutput) {
    return toInvalidAnswer(`candidate ${index + 1} holds no answer`, usage)
  }
  return {
    index,
    answer: {
      parts: addCitations(parts, parseGrounding(candidate, joinTexts(parts))),
      end: end ?? { reason: hasCalls ? "tool_calls" : "stop" },
      ...omitUndefined({ logprobs: parseLogprobs(candidate["logprobsResult"]) })
    }
  }
}

const joinTexts = (parts: ReadonlyArray<Part>): string =>
  parts
    .map((part) => (part.type === "text" || part.type === "opaque" ? (part.text ?? "") : ""))
    .join("")

/** Code that ran is text for those who know no part for it. */
const withText = (part: Part): Part => {
  const code = toCodeText(part)
  return part.type === "opaque" && code !== undefined ? { ...part, text: code.text } : part
}

/** Code that the provider ran, or its output, as a block of Markdown; undefined: the part is neither. */
export const toCodeText = (part: Part): TextPart | undefined => {
  if (part.type !== "opaque" || !isObject(part.raw)) return undefined
  const { codeExecutionResult: result, executableCode: code } = toCamelCase(part.raw)
  if (isObject(code)) {
    const language = findText(code, "language")?.toLowerCase() ?? ""
    const isNamed = language !== "" && language !== "language_unspecified"
    return { type: "text", text: writeBlock(isNamed ? language : "", findText(code, "code") ?? "") }
  }
  if (!isObject(result)) return undefined
  const output = findText(result, "output") ?? findText(result, "outcome") ?? ""
  return { type: "text", text: writeBlock("", output) }
}

/** The fence is longer than any in the text. */
const writeBlock = (language: string, text: string): string => {
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length)
  const fence = "`".repeat(Math.max(2, ...runs) + 1)
  return `\n${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}\n`
}
