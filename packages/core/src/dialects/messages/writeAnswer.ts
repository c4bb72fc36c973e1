/** Writes an answer as a message of Anthropic's API. */
import type { Tool } from "../../conversation/Conversation.ts"
import type { Part, ReasoningPart, Signature } from "../../conversation/Part.ts"
import type { ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import { isObject } from "../../values/json/guards.ts"
import type { AnswerFacts, UsageFacts } from "../AnswerFacts.ts"
import { type ToolFinder, makeToolFinder, writeArguments } from "../CalledTool.ts"
import { writeCitations } from "./citations.ts"
import { writeOmitted } from "../RequestChanges.ts"
import { getExtraFields } from "./messagesFields.ts"
import { writeStopReason } from "./stopReasons.ts"
import { writeRedactedThinking, writeThinking } from "./thinkingBlocks.ts"

type Json = Readonly<Record<string, unknown>>

export interface MessageFacts extends AnswerFacts {
  /** The tools of the request, whose calls get the names of the caller back. */
  readonly tools?: ReadonlyArray<Tool>
}

/** The first answer of the reply, because the API has one only. */
export const writeMessagesAnswer = ({ choices }: ChatReply, facts: MessageFacts): Json => {
  const [choice] = choices
  const { end, parts } =
    choice === undefined ? { parts: [], end: { reason: "stop" as const } } : choice.answer
  return {
    ...makeMessage(facts.id, facts.model),
    content: writeContent(parts, makeToolFinder(facts.tools ?? [])),
    ...writeStopReason({
      ...end,
      finishReason: end.reason,
      hasCalls: parts.some(({ type }) => type === "call")
    }),
    usage: writeMessagesUsage(facts),
    ...writeOmitted(parts.filter(isMedia))
  }
}

const isMedia = ({ type }: Part): boolean => mediaTypes.has(type)

const mediaTypes: ReadonlySet<Part["type"]> = new Set(["audio", "file", "image", "video"])

/**
 * Writes usage in the fields of Anthropic's API, as a new object that the caller may extend. Unknown counts are null;
 * the input excludes cached tokens.
 */
export const writeMessagesUsage = ({
  serviceTier,
  usage,
  usageFields
}: UsageFacts): Record<string, unknown> => {
  const {
    cachedTokens,
    cacheWrite1hTokens,
    cacheWriteTokens,
    inputTokens = 0,
    outputTokens = 0,
    reasoningTokens,
    webSearches
  } = usage ?? {}
  return {
    input_tokens: Math.max(0, inputTokens - (cachedTokens ?? 0) - (cacheWriteTokens ?? 0)),
    cache_creation_input_tokens: cacheWriteTokens ?? null,
    cache_read_input_tokens: cachedTokens ?? null,
    cache_creation:
      cacheWrite1hTokens === undefined
        ? null
        : {
            ephemeral_5m_input_tokens: Math.max(0, (cacheWriteTokens ?? 0) - cacheWrite1hTokens),
            ephemeral_1h_input_tokens: cacheWrite1hTokens
          },
    output_tokens: outputTokens,
    output_tokens_details:
      reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    server_tool_use:
      webSearches === undefined
        ? null
        : { web_search_requests: webSearches, web_fetch_requests: 0 },
    service_tier: serviceTier === "default" ? "standard" : (serviceTier ?? null),
    inference_geo: null,
    ...usageFields
  }
}

/** A message without content; clients require all of its keys. */
export const makeMessage = (id: string, model: string): Json => ({
  id,
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null
})

const writeContent = (parts: ReadonlyArray<Part>, findTool: ToolFinder): ReadonlyArray<Json> => {
  const blocks: Array<Json> = []
  let thoughts: Array<ReasoningPart> = []
  const think = (): void => {
    blocks.push(...writeThinking(thoughts))
    thoughts = []
  }
  for (const part of parts) {
    if (part.type === "reasoning") {
      thoughts.push(part)
      continue
    }
    think()
    blocks.push(...writePart(part, findTool))
  }
  think()
  return blocks
}

/** Pictures and sound have no block in an answer: `writeOmitted` tells of them. */
const writePart = (
  part: Exclude<Part, ReasoningPart>,
  findTool: ToolFinder
): ReadonlyArray<Json> => {
  switch (part.type) {
    case "text": {
      const { citations: found } = part
      const { citations = found ? writeCitations(found) : null } = getExtraFields(part.extra)
      const signature = writeForeignSignature(part.signature)
      return part.text === ""
        ? signature
        : [...signature, { type: "text", text: part.text, citations }]
    }
    case "refusal":
      return part.refusal === "" ? [] : [{ type: "text", text: part.refusal, citations: null }]
    case "call":
      return [
        ...writeForeignSignature(part.signature, part.id),
        {
          type: "tool_use",
          id: part.id,
          name: findTool(part.name).name,
          input: writeArguments(part)
        }
      ]
    case "opaque":
      if (part.dialect === "messages") return isObject(part.raw) ? [part.raw] : []
      return part.text === undefined ? [] : [{ type: "text", text: part.text, citations: null }]
    case "audio":
    case "file":
    case "image":
    case "result":
    case "video":
      return []
  }
}

/** Google signs calls and texts, which have no field for that here. */
const writeForeignSignature = (
  signature: Signature | undefined,
  id?: string
): ReadonlyArray<Json> =>
  signature === undefined
    ? []
    : [
        writeRedactedThinking({
          format: signature.format,
          encrypted: signature.value,
          ...(id === undefined ? undefined : { id })
        })
      ]
