/** Parses an untrusted answer of Anthropic's Messages API. */
import * as Result from "effect/Result"
import type { Answer, AnswerEnd } from "../../conversation/Answer.ts"
import type { Tool } from "../../conversation/Conversation.ts"
import type { CallPart, Part, TextPart } from "../../conversation/Part.ts"
import { drawCallIdStem, findRandom } from "../../engine/upstreams/callIdStems.ts"
import type { ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isShortText, toInvalidAnswer } from "../chat/readAnswer.ts"
import type { CostParser } from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import { findBlockCalls, sumCalls } from "../../conversation/serverTools/readsByItself.ts"
import { findJson, isObject } from "../../values/json/guards.ts"
import { attachSignatures } from "../chat/reasoningDetails.ts"
import { type ToolFinder, getFreeText, makeToolFinder } from "../CalledTool.ts"
import { parseCitations } from "./citations.ts"
import { findMessagesFailure } from "./findMessagesFailure.ts"
import { parseMessagesUsage, parseServiceTier } from "./parseMessagesUsage.ts"
import { toTextPart } from "./parseBlocks.ts"
import { findText } from "../UntranslatableRequest.ts"
import { makeUnreadAnswer } from "../AnswerFacts.ts"
import { parseStopReason } from "./stopReasons.ts"
import { parseRedactedThinking, parseThinking } from "./thinkingBlocks.ts"

type Json = Readonly<Record<string, unknown>>

export interface MessagesReadOptions {
  /** The tools of the request, whose calls get the names of the caller back. */
  readonly tools?: ReadonlyArray<Tool>
  /** Absent: the provider reports no trusted cost. */
  readonly parseCost?: CostParser
  /** Whether the caller gets `json` itself, so that its parts may stay unread. Default false. */
  readonly isNative?: boolean
}

/** The answer in `json`, or the error in it. */
export const parseMessagesAnswer = (
  json: unknown,
  { isNative = false, parseCost, tools = [] }: MessagesReadOptions = {}
): Result.Result<ChatReply, UpstreamFailure> => {
  if (!isObject(json)) return Result.fail(toInvalidAnswer("the answer is not a JSON object"))
  const report = parseMessagesUsage(json["usage"], parseCost)
  const failure = findMessagesFailure(json, report.usage)
  if (failure !== undefined) return Result.fail(failure)
  const { id, model } = json
  const content = toBlocks(json["content"])
  if (!Array.isArray(content)) {
    return Result.fail(toInvalidAnswer("the answer holds no content", report.usage))
  }
  const end = parseEnd(json, content.some(isCall))
  const answer: Answer = isNative
    ? makeUnreadAnswer(() => parseBlocks(content, tools), end)
    : { parts: parseBlocks(content, tools), end }
  const reply: { -readonly [K in keyof ChatReply]: ChatReply[K] } = {
    ...report,
    choices: [{ index: 0, answer }],
    ...parseServiceTier(json["usage"])
  }
  const serverCalls = sumCalls(content, findBlockCalls)
  if (isShortText(id)) reply.id = id
  if (isShortText(model)) reply.model = model
  if (serverCalls !== undefined) reply.serverCalls = serverCalls
  return Result.succeed(reply)
}

/** Some servers answer with the text alone. */
const toBlocks = (content: unknown): unknown =>
  typeof content === "string" ? [{ type: "text", text: content }] : content

const parseBlocks = (
  content: ReadonlyArray<unknown>,
  tools: ReadonlyArray<Tool>
): ReadonlyArray<Part> => {
  const findTool = makeToolFinder(tools)
  const makeId = makeCallIds()
  return attachSignatures(content.flatMap((block) => parseBlock(block, findTool, makeId)))
}

/** What is no block is left out: the rest of the answer is still one. */
const parseBlock = (block: unknown, findTool: ToolFinder, makeId: CallIds): ReadonlyArray<Part> => {
  if (!isObject(block)) return []
  switch (block["type"]) {
    case "text":
      return [citeText(toTextPart(findText(block, "text") ?? "", block), block["citations"])]
    case "thinking":
      return parseThinking(findText(block, "thinking") ?? "", findText(block, "signature") ?? "")
    case "redacted_thinking":
      return [parseRedactedThinking(findText(block, "data") ?? "")]
    case "tool_use":
      return parseCall(block, findTool, makeId)
    default:
      return [{ type: "opaque", dialect: "messages", raw: block }]
  }
}

const citeText = (part: TextPart, written: unknown): TextPart => {
  if (!Array.isArray(written)) return part
  const citations = parseCitations(written)
  return citations.length === 0 ? part : { ...part, citations }
}

/** One without a name calls nothing. */
const isCall = (block: unknown): block is Json & { readonly name: string } =>
  isObject(block) && block["type"] === "tool_use" && typeof block["name"] === "string"

const parseCall = (block: Json, findTool: ToolFinder, makeId: CallIds): ReadonlyArray<CallPart> => {
  if (!isCall(block)) return []
  const { id, input, name } = block
  const tool = findTool(name)
  const json = writeInput(input)
  return [
    {
      type: "call",
      id: makeId(id),
      ...tool,
      arguments: tool.isCustom === true ? getFreeText(json) : json
    }
  ]
}

const parseEnd = (json: Json, hasCalls: boolean): AnswerEnd => {
  const { stop_details: details, stop_reason: nativeReason, stop_sequence: stopSequence } = json
  const explanation = isObject(details) ? details["explanation"] : undefined
  if (typeof nativeReason !== "string") return { reason: hasCalls ? "tool_calls" : "stop" }
  return {
    reason: parseStopReason(nativeReason, hasCalls),
    nativeReason,
    ...(typeof stopSequence === "string" ? { stopSequence } : undefined),
    ...(typeof explanation === "string" ? { explanation } : undefined)
  }
}

/**
 * Writes the input of a call as the JSON text of an object. Servers that translate the answers of others may leave it
 * a text.
 */
export const writeInput = (input: unknown): string => {
  if (typeof input === "string" && isObject(findJson(input))) return input
  return JSON.stringify(isObject(input) ? input : {})
}

/** The id as it was written, or one made up. */
export type CallIds = (written: unknown) => string

/** Makes the ids for the calls of an answer, of which servers may write none, or the same for two. */
export const makeCallIds = (): CallIds => {
  const ids = new Set<string>()
  let stem: string | undefined
  return (written) => {
    let id = typeof written === "string" ? written : ""
    if (id === "" || ids.has(id)) {
      stem ??= drawCallIdStem(findRandom())
      id = `toolu_${stem}_${ids.size}`
    }
    ids.add(id)
    return id
  }
}
