/** Answers OpenAI's Responses API, whole or streamed. */
import type { MessageContent, Timeline, ToolCall, Wait } from "./Content.ts"
import { countTokens } from "./countTokens.ts"
import { encodeEvent } from "./encodeEvent.ts"
import { Gate } from "./Gate.ts"
import { getProperty } from "./getProperty.ts"
import { asksForLogprobs, parseRequestedFormat } from "./parseRequestedFormat.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { type ScriptedMessage, toScriptedMessage, toText } from "./ScriptedMessage.ts"
import { makeJsonResponse, type ScriptedResponse } from "./ScriptedResponse.ts"
import { toErrorCode, toScriptErrorResponse } from "./toErrorResponse.ts"
import { listTokenLogprobs } from "./tokenLogprobs.ts"

type Json = Readonly<Record<string, unknown>>

export const toResponsesResponse = (
  request: RecordedRequest,
  content: MessageContent
): ScriptedResponse => {
  const problem = findProblem(request)
  if (problem !== undefined) return toScriptErrorResponse("responses", 400, problem)
  const message = toScriptedMessage(parseRequestedFormat(request.body), content)
  return getProperty(request.body, "stream") === true
    ? toStream(request, message)
    : makeJsonResponse(
        toLastResponse(
          request,
          message,
          listItems(request, message).map(({ item }) => item)
        )
      )
}

/** What OpenAI itself would refuse. */
const findProblem = ({ body, model }: RecordedRequest): string | undefined => {
  const input = getProperty(body, "input")
  if (model === undefined) return "Missing required parameter: 'model'."
  if (typeof input !== "string" && !Array.isArray(input)) {
    return "Missing required parameter: 'input'."
  }
  const cap = getProperty(body, "max_output_tokens")
  if (typeof cap === "number" && cap < 16) return "Invalid 'max_output_tokens': below 16."
  return undefined
}

/** An item of the output, and how a stream says it. */
interface ScriptedItem {
  readonly item: Json
  /** The item as it begins, without content. */
  readonly added: Json
  /** The events between those that begin and end it, without its place in the output. */
  readonly events: Timeline<Json>
}

const listItems = (
  request: RecordedRequest,
  message: ScriptedMessage
): ReadonlyArray<ScriptedItem> => {
  const { error, pieces, reasoning, toolCalls = [] } = message
  const hasText = toText(pieces) !== "" || pieces.length > 0
  const status =
    error === undefined && !incompleteReasons.has(message.finishReason) ? "completed" : "incomplete"
  const says = hasText || (reasoning === undefined && toolCalls.length === 0)
  return [
    ...(reasoning === undefined ? [] : [toReasoning(request, reasoning)]),
    ...(says ? [toSaid(request, message, status)] : []),
    ...toolCalls.map((call, index) => toCall(request, call, index))
  ]
}

const toReasoning = ({ at }: RecordedRequest, text: string): ScriptedItem => {
  const id = `rs_${at}`
  const part = { type: "summary_text", text }
  const place = { item_id: id, summary_index: 0 }
  const name = "response.reasoning_summary"
  return {
    item: {
      type: "reasoning",
      id,
      status: "completed",
      summary: [part],
      encrypted_content: sealed
    },
    added: { type: "reasoning", id, status: "in_progress", summary: [] },
    events: [
      { type: `${name}_part.added`, ...place, part: { ...part, text: "" } },
      { type: `${name}_text.delta`, ...place, delta: text },
      { type: `${name}_text.done`, ...place, text },
      { type: `${name}_part.done`, ...place, part }
    ]
  }
}

const sealed = "c2VhbGVkLWJ5LXRoZS1zY3JpcHQ="

const toSaid = (
  request: RecordedRequest,
  message: ScriptedMessage,
  status: string
): ScriptedItem => {
  const { error, pieces, refused } = message
  const id = `msg_${request.at}`
  const text = toText(pieces)
  const logprobs = toLogprobs(request, message)
  const part = refused
    ? { type: "refusal", refusal: text }
    : { type: "output_text", text, annotations: [], logprobs }
  const name = refused ? "response.refusal" : "response.output_text"
  const place = { item_id: id, content_index: 0 }
  const common = refused ? place : { ...place, logprobs }
  const said = { type: "message", id, role: "assistant" }
  return {
    item: { ...said, status, content: [part] },
    added: { ...said, status: "in_progress", content: [] },
    events: [
      {
        type: "response.content_part.added",
        ...place,
        part: refused ? { ...part, refusal: "" } : { ...part, text: "", logprobs: [] }
      },
      ...pieces.map((piece) =>
        typeof piece === "string" ? { type: `${name}.delta`, ...common, delta: piece } : piece
      ),
      ...(error === undefined
        ? [
            { type: `${name}.done`, ...common, ...(refused ? { refusal: text } : { text }) },
            { type: "response.content_part.done", ...place, part }
          ]
        : [])
    ]
  }
}

const toLogprobs = ({ body }: RecordedRequest, message: ScriptedMessage): ReadonlyArray<unknown> =>
  asksForLogprobs(body)
    ? listTokenLogprobs(message, Number(getProperty(body, "top_logprobs") ?? 0))
    : []

const toCall = (
  { at }: RecordedRequest,
  { arguments: json, id: call_id, name }: ToolCall,
  index: number
): ScriptedItem => {
  const id = `fc_${at}_${index}`
  const call = { type: "function_call", id, call_id, name }
  const events = "response.function_call_arguments"
  return {
    item: { ...call, status: "completed", arguments: json },
    added: { ...call, status: "in_progress", arguments: "" },
    events: [
      ...(json.match(/.{1,16}/gsu) ?? []).map((delta) => ({
        type: `${events}.delta`,
        item_id: id,
        delta
      })),
      { type: `${events}.done`, item_id: id, name, arguments: json }
    ]
  }
}

const toStream = (request: RecordedRequest, message: ScriptedMessage): ScriptedResponse => {
  const { done, error } = message
  const items = listItems(request, message)
  const first = toResponse(request, message, {})
  const last = toLastResponse(
    request,
    message,
    items.map(({ item }) => item)
  )
  const isOpen = (index: number): boolean => error !== undefined && index === items.length - 1
  const events: Timeline<Json> = [
    { type: "response.created", response: first },
    { type: "response.in_progress", response: first },
    ...items.flatMap(({ added, events: inside, item }, output_index): Timeline<Json> => [
      { type: "response.output_item.added", output_index, item: added },
      ...inside.map((event) => (isWait(event) ? event : { output_index, ...event })),
      ...(isOpen(output_index) ? [] : [{ type: "response.output_item.done", output_index, item }])
    ]),
    ...(done || error !== undefined
      ? [{ type: `response.${String(last["status"])}`, response: last }]
      : [])
  ]
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: [...numberEvents(events), ...(done ? [encodeEvent({ data: "[DONE]" })] : [])]
  }
}

const isWait = (event: Json | Wait): event is Wait =>
  typeof event === "number" || event instanceof Gate

const numberEvents = (events: Timeline<Json>): Timeline<Uint8Array> => {
  let sequence_number = 0
  return events.map((event) =>
    isWait(event)
      ? event
      : encodeEvent({
          event: String(event["type"]),
          data: { ...event, sequence_number: sequence_number++ }
        })
  )
}

/** By the finish reason of a chat: why an answer is incomplete. */
const incompleteReasons: ReadonlyMap<string, string> = new Map([
  ["length", "max_output_tokens"],
  ["content_filter", "content_filter"]
])

const toLastResponse = (
  request: RecordedRequest,
  message: ScriptedMessage,
  output: ReadonlyArray<Json>
): Json => {
  const { error, finishReason } = message
  const usage = toUsage(request, message)
  const common = { output, usage }
  if (error !== undefined) {
    const { code, message: text } = error
    return toResponse(request, message, {
      ...common,
      status: "failed",
      error: { code: typeof code === "string" ? code : toErrorCode(code), message: text }
    })
  }
  const reason = incompleteReasons.get(finishReason)
  return toResponse(request, message, {
    ...common,
    ...(reason === undefined
      ? { status: "completed", completed_at: 1_700_000_001 }
      : { status: "incomplete", incomplete_details: { reason } })
  })
}

/** Every key, because typed clients require them. */
const toResponse = (
  { at, body, model }: RecordedRequest,
  { report }: ScriptedMessage,
  fields: Json
): Json => ({
  id: report.id ?? `resp_${at}`,
  object: "response",
  created_at: 1_700_000_000,
  completed_at: null,
  status: "in_progress",
  background: false,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: getProperty(body, "instructions") ?? null,
  max_output_tokens: getProperty(body, "max_output_tokens") ?? null,
  max_tool_calls: null,
  metadata: {},
  model: report.model ?? model,
  output: [],
  parallel_tool_calls: getProperty(body, "parallel_tool_calls") ?? true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: getProperty(body, "reasoning") ?? null,
  safety_identifier: null,
  service_tier: report.serviceTier ?? null,
  store: getProperty(body, "store") ?? true,
  temperature: getProperty(body, "temperature") ?? 1,
  text: getProperty(body, "text") ?? { format: { type: "text" } },
  tool_choice: getProperty(body, "tool_choice") ?? "auto",
  tools: getProperty(body, "tools") ?? [],
  top_logprobs: getProperty(body, "top_logprobs") ?? 0,
  top_p: getProperty(body, "top_p") ?? 1,
  truncation: "disabled",
  usage: null,
  ...fields
})

/** Details have other names than in chat. */
const toUsage = (request: RecordedRequest, message: ScriptedMessage): Json => {
  const { pieces, reasoning = "", report, toolCalls = [] } = message
  const said = reasoning + toText(pieces) + toolCalls.map((call) => call.arguments).join("")
  const input = report.usage?.inputTokens ?? countTokens(request.raw)
  const output = report.usage?.outputTokens ?? countTokens(said)
  return {
    input_tokens: input,
    input_tokens_details: getProperty(report.usageDetails, "prompt_tokens_details") ?? {},
    output_tokens: output,
    output_tokens_details: getProperty(report.usageDetails, "completion_tokens_details") ?? {},
    total_tokens: input + output,
    ...(report.cost === undefined ? undefined : { cost: report.cost })
  }
}
