/** Parses an untrusted answer of Anthropic's Messages API. */
import * as Result from "effect/Result"
import type { AnswerEnd } from "../../conversation/Answer.ts"
import type { Tool } from "../../conversation/Conversation.ts"
import type { CallPart, Part } from "../../conversation/Part.ts"
import type { ChatReply } from "../../upstreams/ChatCapability.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { isShortText, toInvalidAnswer } from "../../upstreams/openaiChat/parseChatReply.ts"
import type { CostParser } from "../../upstreams/openaiChat/parseChatUsage.ts"
import { isObject } from "../../values/json/isObject.ts"
import { toChatChoice } from "../chat/chatAnswer.ts"
import { attachSignatures } from "../chat/reasoningDetails.ts"
import { getFreeText, makeToolFinder, type ToolFinder } from "../CalledTool.ts"
import { findMessagesFailure } from "./findMessagesFailure.ts"
import { parseMessagesUsage, parseServiceTier } from "./parseMessagesUsage.ts"
import { toTextPart } from "./parseBlocks.ts"
import { findText } from "../readField.ts"
import { parseStopReason } from "./stopReasons.ts"
import { parseRedactedThinking, parseThinking } from "./thinkingBlocks.ts"

type Json = Readonly<Record<string, unknown>>

export interface MessagesReadOptions {
  /** The tools of the request, whose calls get the names of the caller back. */
  readonly tools?: ReadonlyArray<Tool>
  /** Absent: the provider reports no trusted cost. */
  readonly parseCost?: CostParser
}

/** The answer in `json`, or the error in it. */
export const parseMessagesAnswer = (
  json: unknown,
  { parseCost, tools = [] }: MessagesReadOptions = {}
): Result.Result<ChatReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toInvalidAnswer("the answer is not a JSON object"))
  const report = parseMessagesUsage(json["usage"], parseCost)
  const failure = findMessagesFailure(json, report.usage)
  if (failure !== undefined) return Result.fail(failure)
  const { content, id, model } = json
  if (!Array.isArray(content)) {
    return Result.fail(toInvalidAnswer("the answer holds no content", report.usage))
  }
  const findTool = makeToolFinder(tools)
  const parts = attachSignatures(content.flatMap((block: unknown) => parseBlock(block, findTool)))
  return Result.succeed({
    choices: [toChatChoice({ parts, end: parseEnd(json, parts) }, 0)],
    ...report,
    ...parseServiceTier(json["usage"]),
    ...(isShortText(id) ? { id } : undefined),
    ...(isShortText(model) ? { model } : undefined)
  })
}

/** What is no block is left out: the rest of the answer is still one. */
const parseBlock = (block: unknown, findTool: ToolFinder): ReadonlyArray<Part> => {
  if (!isObject(block)) return []
  switch (block["type"]) {
    case "text":
      return [toTextPart(findText(block, "text") ?? "", block)]
    case "thinking":
      return parseThinking(findText(block, "thinking") ?? "", findText(block, "signature") ?? "")
    case "redacted_thinking":
      return [parseRedactedThinking(findText(block, "data") ?? "")]
    case "tool_use":
      return parseCall(block, findTool)
    default:
      return [{ type: "opaque", dialect: "messages", raw: block }]
  }
}

const parseCall = (block: Json, findTool: ToolFinder): ReadonlyArray<CallPart> => {
  const { id, input, name } = block
  if (typeof id !== "string" || typeof name !== "string") return []
  const tool = findTool(name)
  const json = JSON.stringify(isObject(input) ? input : {})
  return [
    { type: "call", id, ...tool, arguments: tool.isCustom === true ? getFreeText(json) : json }
  ]
}

const parseEnd = (json: Json, parts: ReadonlyArray<Part>): AnswerEnd => {
  const { stop_details: details, stop_reason: nativeReason, stop_sequence: stopSequence } = json
  const explanation = isObject(details) ? details["explanation"] : undefined
  const hasCalls = parts.some(({ type }) => type === "call")
  if (typeof nativeReason !== "string") return { reason: hasCalls ? "tool_calls" : "stop" }
  return {
    reason: parseStopReason(nativeReason, hasCalls),
    nativeReason,
    ...(typeof stopSequence === "string" ? { stopSequence } : undefined),
    ...(typeof explanation === "string" ? { explanation } : undefined)
  }
}
