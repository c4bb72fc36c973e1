/** Answers chat completions of OpenAI's API, whole or streamed. */
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import * as answer from "./ScriptedResponse.ts"
import type { MessageContent, Timeline, ToolCall, Wait } from "./Content.ts"
import { countTokens } from "./countTokens.ts"
import { encodeEvent } from "./encodeEvent.ts"
import { getProperty } from "./getProperty.ts"
import { parseRequestedFormat } from "./parseRequestedFormat.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { type ScriptedMessage, toScriptedMessage, toText } from "./ScriptedMessage.ts"
import { toScriptErrorResponse } from "./toErrorResponse.ts"
import { listTokenLogprobs } from "./tokenLogprobs.ts"

export const toChatResponse = (
  request: RecordedRequest,
  content: MessageContent
): ScriptedResponse => {
  if (request.model === undefined || !Array.isArray(getProperty(request.body, "messages"))) {
    return toScriptErrorResponse("chat", 400, "model and messages are required")
  }
  const message = toScriptedMessage(parseRequestedFormat(request.body), content)
  return getProperty(request.body, "stream") === true
    ? toStream(request, message)
    : toCompletion(request, message)
}

/** The requested logprobs, or `null` if none are requested. */
const toLogprobs = (request: RecordedRequest, message: ScriptedMessage) => {
  if (getProperty(request.body, "logprobs") !== true) return null
  const top = Number(getProperty(request.body, "top_logprobs") ?? 0)
  return { content: listTokenLogprobs(message, top), refusal: null }
}

/** The indices of the requested answers. */
const makeChoices = (request: RecordedRequest): ReadonlyArray<number> =>
  Array.from({ length: Number(getProperty(request.body, "n") ?? 1) }, (_, index) => index)

const toUsage = (request: RecordedRequest, message: ScriptedMessage) => {
  const { pieces, reasoning = "", report, toolCalls = [] } = message
  const said = reasoning + toText(pieces) + toolCalls.map((call) => call.arguments).join("")
  const prompt = report.usage?.inputTokens ?? countTokens(request.raw)
  const completion = report.usage?.outputTokens ?? countTokens(said) * makeChoices(request).length
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...report.usageDetails,
    ...(report.cost === undefined ? undefined : { cost: report.cost })
  }
}

const makeEnvelope = (request: RecordedRequest, { report }: ScriptedMessage, object: string) => ({
  id: report.id ?? `chatcmpl-${request.at}`,
  object,
  created: 1_700_000_000,
  model: report.model ?? request.model,
  ...(report.provider === undefined ? undefined : { provider: report.provider }),
  ...(report.systemFingerprint === undefined
    ? undefined
    : { system_fingerprint: report.systemFingerprint }),
  ...(report.serviceTier === undefined ? undefined : { service_tier: report.serviceTier })
})

const toCompletion = (request: RecordedRequest, message: ScriptedMessage): ScriptedResponse => {
  const { error, pieces, reasoning, toolCalls } = message
  const text = toText(pieces)
  return answer.makeJsonResponse({
    ...makeEnvelope(request, message, "chat.completion"),
    choices: makeChoices(request).map((index) => ({
      index,
      message: {
        role: "assistant",
        content: message.refused || (toolCalls !== undefined && text === "") ? null : text,
        refusal: message.refused ? text : null,
        ...(reasoning === undefined ? undefined : { reasoning }),
        ...(toolCalls === undefined ? undefined : { tool_calls: toolCalls.map(toToolCall) })
      },
      logprobs: toLogprobs(request, message),
      finish_reason: message.finishReason,
      ...(error === undefined ? undefined : { error })
    })),
    usage: toUsage(request, message)
  })
}

const toToolCall = ({ arguments: text, id, name }: ToolCall) => ({
  id,
  type: "function",
  function: { name, arguments: text }
})

/** A tool call begins with its name; its arguments follow in pieces. */
const toToolCallDeltas = (call: ToolCall, index: number): ReadonlyArray<object> => [
  { tool_calls: [{ index, ...toToolCall({ ...call, arguments: "" }) }] },
  ...(call.arguments.match(/.{1,16}/gsu) ?? []).map((piece) => ({
    tool_calls: [{ index, function: { arguments: piece } }]
  }))
]

const toStream = (request: RecordedRequest, message: ScriptedMessage): ScriptedResponse => {
  const chunk = (choices: ReadonlyArray<unknown>, rest: object = {}) =>
    encodeEvent({
      data: { ...makeEnvelope(request, message, "chat.completion.chunk"), choices, ...rest }
    })
  const indices = makeChoices(request)
  const delta = (delta: object, finishReason: string | null = null, logprobs: unknown = null) =>
    indices.map((index) => chunk([{ index, delta, logprobs, finish_reason: finishReason }]))
  const includeUsage =
    getProperty(getProperty(request.body, "stream_options"), "include_usage") === true
  const said = message.refused ? "refusal" : "content"
  const firstText = message.pieces.findIndex((piece) => typeof piece === "string")
  const { error, finishReason, reasoning, toolCalls = [] } = message
  const spoken = (piece: string | Wait, i: number): Timeline<Uint8Array> =>
    typeof piece === "string"
      ? delta({ [said]: piece }, null, i === firstText ? toLogprobs(request, message) : null)
      : [piece]
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: [
      ...delta({ role: "assistant", [said]: "" }),
      ...(reasoning === undefined ? [] : delta({ reasoning })),
      ...message.pieces.flatMap(spoken),
      ...toolCalls.flatMap(toToolCallDeltas).flatMap((each) => delta(each)),
      ...(error === undefined
        ? delta({}, finishReason)
        : [chunk([{ index: 0, delta: { content: "" }, finish_reason: finishReason }], { error })]),
      ...(includeUsage && error === undefined
        ? [chunk([], { usage: toUsage(request, message) })]
        : []),
      ...(message.done ? [encodeEvent({ data: "[DONE]" })] : [])
    ]
  }
}
