/** Parses a whole answer of OpenAI's Responses API. */
import * as Result from "effect/Result"
import type { AnswerEnd } from "../../conversation/Answer.ts"
import type { Tool } from "../../conversation/Conversation.ts"
import type { Part } from "../../conversation/Part.ts"
import type { ChatReply } from "../../upstreams/ChatCapability.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import {
  isShortText,
  parseServingInfo,
  toInvalidAnswer
} from "../../upstreams/openaiChat/parseChatReply.ts"
import type { CostParser } from "../../upstreams/openaiChat/parseChatUsage.ts"
import { isObject } from "../../values/json/isObject.ts"
import { type CalledTool, makeToolFinder } from "../CalledTool.ts"
import { toChatChoice } from "../chat/chatAnswer.ts"
import { toChatAnnotations } from "./annotations.ts"
import { findNonEmptyText, findText, type Json, toList } from "./fields.ts"
import { parseReasoningItem } from "./parseReasoningItem.ts"
import { openaiFormat } from "./reasoningFormat.ts"
import { toAnswerFailure } from "./responsesFailures.ts"
import { parseResponsesUsage } from "./responsesUsage.ts"

export interface ResponsesAnswerOptions {
  /** Those of the conversation, whose names the request may have changed; absent: it has not. */
  readonly tools?: ReadonlyArray<Tool>
  readonly parseCost?: CostParser
  /** Whose reasoning it is; default: OpenAI's. */
  readonly reasoningFormat?: string
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
  const parts = parseOutput(output, options)
  const content = listContent(output)
  const logprobs = collectLogprobs(content)
  const choice = toChatChoice(
    { parts, end: parseEnd(json), ...(logprobs === undefined ? undefined : { logprobs }) },
    0
  )
  const annotations = content.flatMap((part) => toChatAnnotations(part["annotations"]))
  return Result.succeed({
    choices: [
      annotations.length === 0 ? choice : { ...choice, message: { ...choice.message, annotations } }
    ],
    ...report,
    ...parseServingInfo(json),
    ...(isShortText(id) ? { id } : undefined),
    ...(typeof model === "string" && model !== "" ? { model } : undefined)
  })
}

const endedStatuses: ReadonlySet<string> = new Set(["completed", "incomplete"])

/** The reasons of `incomplete_details`, and what they are in chat. */
const endReasons: ReadonlyMap<string, AnswerEnd["reason"]> = new Map([
  ["max_output_tokens", "length"],
  ["content_filter", "content_filter"]
])

/** There is no finish reason: calls are told by their items. An unknown reason ends an answer too. */
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
        return toList(item["content"]).flatMap(parseSaid)
      case "reasoning":
        return parseReasoningItem(item, reasoningFormat)
      case "function_call":
      case "custom_tool_call":
        return parseCall(item, findTool)
      default:
        return [{ type: "opaque", dialect: "responses", raw: item }]
    }
  })
}

const parseSaid = (part: unknown): ReadonlyArray<Part> => {
  if (!isObject(part)) return []
  const text = findNonEmptyText(part["text"])
  if (text !== undefined) return [{ type: "text", text }]
  const refusal = findNonEmptyText(part["refusal"])
  return refusal === undefined ? [] : [{ type: "refusal", refusal }]
}

const parseCall = (item: Json, findTool: (written: string) => CalledTool): ReadonlyArray<Part> => {
  const id = findNonEmptyText(item["call_id"]) ?? findNonEmptyText(item["id"])
  const written = findNonEmptyText(item["name"])
  if (id === undefined || written === undefined) return []
  const isCustom = item["type"] === "custom_tool_call"
  const given = findText(item[isCustom ? "input" : "arguments"]) ?? ""
  return [
    {
      type: "call",
      id,
      arguments: isCustom ? given : given || "{}",
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

const listContent = (output: ReadonlyArray<unknown>): ReadonlyArray<Json> => {
  const content: Array<Json> = []
  for (const item of output) {
    if (!isObject(item) || item["type"] !== "message") continue
    for (const part of toList(item["content"])) if (isObject(part)) content.push(part)
  }
  return content
}

/** In the form of the chat dialect. */
const collectLogprobs = (content: ReadonlyArray<Json>): unknown => {
  const logprobs = content.flatMap((part) => toList(part["logprobs"]))
  return logprobs.length === 0 ? undefined : { content: logprobs, refusal: null }
}
