/** Parses a whole answer of OpenAI's Responses API. */
import * as Result from "effect/Result"
import type { Answer, AnswerEnd } from "../../conversation/Answer.ts"
import type { Tool } from "../../conversation/Conversation.ts"
import type { Part } from "../../conversation/Part.ts"
import type { ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isShortText, parseServingInfo, toInvalidAnswer } from "../chat/readAnswer.ts"
import type { CostParser } from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import {
  findCitingPart,
  findItemCalls,
  sumCalls
} from "../../conversation/serverTools/readsByItself.ts"
import type { ServerCalls } from "../../values/usage/ModelUsage.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { type CalledTool, makeToolFinder } from "../CalledTool.ts"
import { makeUnreadAnswer } from "../AnswerFacts.ts"
import { parseAnnotations } from "../chat/annotations.ts"
import { readCallFields, toObjectText } from "../chat/callFields.ts"
import { findNonEmptyText, findText, type Json } from "./fields.ts"
import { parseImageItem } from "./imageItem.ts"
import { openaiFormat, parseReasoningItem } from "./parseReasoningItem.ts"
import { toAnswerFailure } from "./responsesFailures.ts"
import { parseResponsesUsage } from "./responsesUsage.ts"

export interface ResponsesAnswerOptions {
  /** The tools of the conversation. The request may have changed their names; absent: it has not. */
  readonly tools?: ReadonlyArray<Tool>
  readonly parseCost?: CostParser
  /** The format of the reasoning; default: OpenAI's. */
  readonly reasoningFormat?: string
  /** Whether the caller gets `json` itself, so that its parts may stay unread. Default false. */
  readonly isNative?: boolean
}

export const parseResponsesAnswer = (
  json: unknown,
  options: ResponsesAnswerOptions = {}
): Result.Result<ChatReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toInvalidAnswer("the answer is not a JSON object"))
  const report = parseResponsesUsage(json, options.parseCost)
  const { error, id, model, output, status } = json
  if ((error !== undefined && error !== null) || status === "failed") {
    return Result.fail(toAnswerFailure(error, report.usage))
  }
  if (!Array.isArray(output)) {
    return Result.fail(toInvalidAnswer("the answer has no list of output items", report.usage))
  }
  if (typeof status === "string" && !endedStatuses.has(status)) {
    return Result.fail(toInvalidAnswer(`the answer has the status "${status}"`, report.usage))
  }
  const answer = readAnswer(output, parseOutputEnd(json, output), options)
  const serverCalls = findServerCalls(output, answer, options)
  return Result.succeed({
    choices: [{ index: 0, answer }],
    ...report,
    ...parseServingInfo(json),
    ...(isShortText(id) ? { id } : undefined),
    ...(typeof model === "string" && model !== "" ? { model } : undefined),
    ...(serverCalls === undefined ? undefined : { serverCalls })
  })
}

const readAnswer = (
  output: ReadonlyArray<unknown>,
  end: AnswerEnd,
  options: ResponsesAnswerOptions
): Answer => {
  const logprobs = collectLogprobs(output)
  if (options.isNative === true) {
    return makeUnreadAnswer(() => parseOutput(output, options), end, logprobs)
  }
  const parts = parseOutput(output, options)
  return logprobs === undefined ? { parts, end } : { parts, end, logprobs }
}

/** In an answer whose parts stay unread, the citations of its texts count too; otherwise its parts show them. */
const findServerCalls = (
  output: ReadonlyArray<unknown>,
  answer: Answer,
  { isNative = false }: ResponsesAnswerOptions
): ServerCalls | undefined => {
  const calls = sumCalls(output, findItemCalls)
  if (calls !== undefined || !isNative) return calls
  return output.some(isCitingItem) ? findCitingPart(answer.parts) : undefined
}

const isCitingItem = (item: unknown): boolean => listSaid(item).some(isCitingText)

const isCitingText = (part: unknown): boolean =>
  isObject(part) && toList(part["annotations"]).length > 0

const endedStatuses: ReadonlySet<string> = new Set(["completed", "incomplete"])

/** The reasons of `incomplete_details`, and what they are in chat. */
const endReasons: ReadonlyMap<string, AnswerEnd["reason"]> = new Map([
  ["max_output_tokens", "length"],
  ["content_filter", "content_filter"]
])

/** The API has no finish reason for calls: their items show them. An answer with an unknown reason has ended too. */
export const parseEnd = ({ incomplete_details, status }: Json): AnswerEnd => {
  const details = isObject(incomplete_details)
    ? findNonEmptyText(incomplete_details["reason"])
    : undefined
  if (status !== "incomplete") return { reason: "stop", nativeReason: "completed" }
  return {
    reason: endReasons.get(details ?? "") ?? "stop",
    nativeReason: details ?? status
  }
}

/** With the calls among its items. */
const parseOutputEnd = (json: Json, output: ReadonlyArray<unknown>): AnswerEnd => {
  const end = parseEnd(json)
  return end.reason === "stop" && output.some(isCall) ? { ...end, reason: "tool_calls" } : end
}

/** An item without an id or a name is not a call. */
const isCall = (item: unknown): boolean =>
  isObject(item) &&
  (item["type"] === "function_call" || item["type"] === "custom_tool_call") &&
  findCallId(item) !== undefined &&
  findNonEmptyText(item["name"]) !== undefined

const findCallId = (item: Json): string | undefined =>
  findNonEmptyText(item["call_id"]) ?? findNonEmptyText(item["id"])

/** Items that only this API knows, such as searches, stay opaque. */
const parseOutput = (
  output: ReadonlyArray<unknown>,
  { reasoningFormat = openaiFormat, tools = [] }: ResponsesAnswerOptions
): ReadonlyArray<Part> => {
  const findTool = makeToolFinder(tools)
  return output.flatMap((item): ReadonlyArray<Part> => {
    if (!isObject(item)) return []
    switch (item["type"]) {
      case "message":
        return listContent(item).flatMap(parseSaid)
      case "reasoning":
        return parseReasoningItem(item, reasoningFormat)
      case "function_call":
      case "custom_tool_call":
        return parseCall(item, findTool)
      case "image_generation_call":
        return [parseImageItem(item) ?? { type: "opaque", dialect: "responses", raw: item }]
      default:
        return [{ type: "opaque", dialect: "responses", raw: item }]
    }
  })
}

/** Some servers write the text alone. */
export const listContent = ({ content }: Json): ReadonlyArray<unknown> =>
  typeof content === "string" ? [{ type: "output_text", text: content }] : toList(content)

const parseSaid = (part: unknown): ReadonlyArray<Part> => {
  if (!isObject(part)) return []
  const text = findNonEmptyText(part["text"])
  const citations = parseAnnotations(part["annotations"])
  if (text !== undefined || citations.length > 0) {
    const cited = citations.length === 0 ? undefined : { citations }
    return [{ type: "text", text: text ?? "", ...cited }]
  }
  const refusal = findNonEmptyText(part["refusal"])
  return refusal === undefined ? [] : [{ type: "refusal", refusal }]
}

const parseCall = (item: Json, findTool: (written: string) => CalledTool): ReadonlyArray<Part> => {
  const id = findCallId(item)
  const written = findNonEmptyText(item["name"])
  if (id === undefined || written === undefined) return []
  const isCustom = item["type"] === "custom_tool_call"
  const given = findText(item["input"]) ?? ""
  return [
    {
      type: "call",
      id,
      arguments: isCustom ? given : toObjectText(readCallFields(item).text),
      ...(isCustom ? { isCustom } : undefined),
      ...toToolName(item, findTool(written))
    }
  ]
}

/** The caller's name of a tool, and its namespace. */
export const toToolName = (
  { namespace }: Json,
  found: CalledTool
): Pick<CalledTool, "name" | "namespace"> => {
  const given = findNonEmptyText(namespace) ?? found.namespace
  return { name: found.name, ...(given === undefined ? undefined : { namespace: given }) }
}

/** The texts of a message, as they came. */
const listSaid = (item: unknown): ReadonlyArray<unknown> =>
  isObject(item) && item["type"] === "message" ? toList(item["content"]) : []

/** In the form of the chat dialect. */
const collectLogprobs = (output: ReadonlyArray<unknown>): unknown => {
  if (!output.some(hasLogprobs)) return undefined
  const content = output
    .flatMap(listSaid)
    .flatMap((part) => (isObject(part) ? toList(part["logprobs"]) : []))
  return { content, refusal: null }
}

const hasLogprobs = (item: unknown): boolean => listSaid(item).some(holdsLogprobs)

const holdsLogprobs = (part: unknown): boolean =>
  isObject(part) && toList(part["logprobs"]).length > 0
