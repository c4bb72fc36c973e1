/** Answers messages of Anthropic's API, whole or streamed. */
import type { MessageContent, Timeline, ToolCall } from "./Content.ts"
import { countTokens } from "./countTokens.ts"
import { encodeEvent } from "./encodeEvent.ts"
import { Gate } from "./Gate.ts"
import { getProperty } from "./getProperty.ts"
import { parseRequestedFormat } from "./parseRequestedFormat.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import {
  findUsageDetail,
  type ScriptedMessage,
  toScriptedMessage,
  toText
} from "./ScriptedMessage.ts"
import { makeJsonResponse, type ScriptedResponse } from "./ScriptedResponse.ts"
import { toScriptErrorResponse } from "./toErrorResponse.ts"
import { toMessagesError } from "./toMessagesError.ts"

export const toMessagesResponse = (
  request: RecordedRequest,
  content: MessageContent
): ScriptedResponse => {
  const problem = findProblem(request)
  if (problem !== undefined) return toScriptErrorResponse("messages", 400, problem)
  const message = toScriptedMessage(parseRequestedFormat(request.body), content)
  return getProperty(request.body, "stream") === true
    ? toStream(request, message)
    : toWhole(request, message)
}

const findProblem = ({ body, headers, model }: RecordedRequest): string | undefined => {
  if (model === undefined) return "model: Field required"
  if (!Array.isArray(getProperty(body, "messages"))) return "messages: Field required"
  if (typeof getProperty(body, "max_tokens") !== "number") return "max_tokens: Field required"
  const version = headers["anthropic-version"] ?? getProperty(body, "anthropic_version")
  return version === undefined ? "anthropic-version: header is required" : undefined
}

const toWhole = (request: RecordedRequest, message: ScriptedMessage): ScriptedResponse => {
  const { error, pieces, reasoning, toolCalls = [] } = message
  if (error !== undefined) return makeJsonResponse(toMessagesError(error.code, error.message))
  const text = toText(pieces)
  return makeJsonResponse({
    ...makeEnvelope(request, message),
    content: [
      ...(reasoning === undefined ? [] : [{ type: "thinking", thinking: reasoning, signature }]),
      ...(text === "" ? [] : [{ type: "text", text, citations: null }]),
      ...toolCalls.map(({ arguments: json, id, name }) => ({
        type: "tool_use",
        id,
        name,
        input: JSON.parse(json || "{}")
      }))
    ],
    ...toEnd(message),
    usage: toUsage(request, message)
  })
}

const signature = "c2lnbmVkLWJ5LXRoZS1zY3JpcHQ="

const makeEnvelope = ({ at, model }: RecordedRequest, { report }: ScriptedMessage) => ({
  id: report.id ?? `msg_${at}`,
  type: "message",
  role: "assistant",
  model: report.model ?? model
})

const toEnd = ({ finishReason, refused }: ScriptedMessage) => {
  const reason = refused ? "refusal" : (stopReasons.get(finishReason) ?? finishReason)
  return {
    stop_reason: reason,
    stop_sequence: null,
    stop_details:
      reason === "refusal" ? { type: "refusal", category: null, explanation: null } : null
  }
}

/** By the finish reason of a chat. */
const stopReasons: ReadonlyMap<string, string> = new Map([
  ["stop", "end_turn"],
  ["length", "max_tokens"],
  ["tool_calls", "tool_use"],
  ["content_filter", "refusal"]
])

/** The input is counted without what a cache held. */
const toUsage = (request: RecordedRequest, message: ScriptedMessage) => {
  const { pieces, reasoning = "", report, toolCalls = [] } = message
  const said = reasoning + toText(pieces) + toolCalls.map((call) => call.arguments).join("")
  const prompt = report.usage?.inputTokens ?? countTokens(request.raw)
  const read = findUsageDetail(message, "prompt_tokens_details", "cached_tokens")
  const written = findUsageDetail(message, "prompt_tokens_details", "cache_write_tokens")
  const thinking = findUsageDetail(message, "completion_tokens_details", "reasoning_tokens")
  return {
    input_tokens: prompt - (read ?? 0) - (written ?? 0),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: report.usage?.outputTokens ?? countTokens(said),
    output_tokens_details: thinking === null ? null : { thinking_tokens: thinking },
    service_tier: report.serviceTier ?? null
  }
}

const toStream = (request: RecordedRequest, message: ScriptedMessage): ScriptedResponse => {
  const { done, error, pieces, reasoning, toolCalls = [] } = message
  const usage = toUsage(request, message)
  const start = {
    ...makeEnvelope(request, message),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: { ...usage, output_tokens: 0 }
  }
  const blocks = [
    ...(reasoning === undefined ? [] : [toThinkingBlock(reasoning)]),
    ...(pieces.length === 0 ? [] : [toTextBlock(pieces)]),
    ...toolCalls.map(toCallBlock)
  ]
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: [
      encode({ type: "message_start", message: start }),
      ...blocks.flatMap(encodeBlock),
      ...(error === undefined
        ? [encode({ type: "message_delta", delta: toEnd(message), usage })]
        : [encode(toMessagesError(error.code, error.message))]),
      ...(done ? [encode({ type: "message_stop" })] : [])
    ]
  }
}

interface Block {
  readonly start: object
  readonly deltas: Timeline<object>
}

const toThinkingBlock = (thinking: string): Block => ({
  start: { type: "thinking", thinking: "", signature: "" },
  deltas: [
    { type: "thinking_delta", thinking },
    { type: "signature_delta", signature }
  ]
})

const toTextBlock = (pieces: Timeline<string>): Block => ({
  start: { type: "text", text: "", citations: null },
  deltas: pieces.map((piece) =>
    typeof piece === "string" ? { type: "text_delta", text: piece } : piece
  )
})

/** Input comes in pieces, and none at all where the arguments are empty. */
const toCallBlock = ({ arguments: json, id, name }: ToolCall): Block => ({
  start: { type: "tool_use", id, name, input: {} },
  deltas: (json.match(/.{1,16}/gsu) ?? []).map((piece) => ({
    type: "input_json_delta",
    partial_json: piece
  }))
})

const encodeBlock = ({ deltas, start }: Block, index: number): Timeline<Uint8Array> => [
  encode({ type: "content_block_start", index, content_block: start }),
  ...deltas.map((delta) =>
    typeof delta === "number" || delta instanceof Gate
      ? delta
      : encode({ type: "content_block_delta", index, delta })
  ),
  encode({ type: "content_block_stop", index })
]

const encode = (data: Readonly<Record<string, unknown>>): Uint8Array =>
  encodeEvent({ event: String(data["type"]), data })
