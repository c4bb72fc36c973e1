/** Answers Google's API to generate content, whole or streamed. */
import type { MessageContent, Timeline, ToolCall, Wait } from "./Content.ts"
import { countTokens } from "./countTokens.ts"
import { encodeEvent } from "./encodeEvent.ts"
import { getProperty } from "./getProperty.ts"
import { parseRequestedFormat } from "./parseRequestedFormat.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import {
  compareProbability,
  findUsageDetail,
  type ScriptedMessage,
  toScriptedMessage,
  toText
} from "./ScriptedMessage.ts"
import { makeJsonResponse, type ScriptedResponse } from "./ScriptedResponse.ts"
import { toScriptErrorResponse } from "./toErrorResponse.ts"
import { toGeminiError } from "./toGeminiError.ts"

type Json = Readonly<Record<string, unknown>>

export const toGeminiResponse = (
  request: RecordedRequest,
  content: MessageContent
): ScriptedResponse => {
  if (!Array.isArray(getProperty(request.body, "contents"))) {
    return toScriptErrorResponse("gemini", 400, "contents is not specified")
  }
  const message = toScriptedMessage(parseRequestedFormat(toChatRequest(request)), content)
  return request.path.includes(":streamGenerateContent")
    ? toStream(request, message)
    : toWhole(request, message)
}

const findConfig = ({ body }: RecordedRequest, name: string): unknown =>
  getProperty(getProperty(body, "generationConfig"), name)

/** What decides the format of the answer, in the words of OpenAI's API. */
const toChatRequest = (request: RecordedRequest): Json => {
  const contents = getProperty(request.body, "contents")
  const schema = findConfig(request, "responseJsonSchema") ?? findConfig(request, "responseSchema")
  const isJson = findConfig(request, "responseMimeType") === "application/json"
  return {
    messages: [
      getProperty(request.body, "systemInstruction"),
      ...(Array.isArray(contents) ? contents : [])
    ].map((each: unknown) => ({ content: getProperty(each, "parts") })),
    logprobs: findConfig(request, "responseLogprobs"),
    response_format:
      schema === undefined
        ? { type: isJson ? "json_object" : "text" }
        : { type: "json_schema", json_schema: { schema } }
  }
}

const toWhole = (request: RecordedRequest, message: ScriptedMessage): ScriptedResponse => {
  const { error, pieces, reasoning, toolCalls = [] } = message
  if (error !== undefined) return makeJsonResponse(toGeminiError(error.code, error.message))
  const text = toText(pieces)
  const parts = [
    ...(reasoning === undefined ? [] : [toThought(reasoning)]),
    ...(text === "" ? [] : [{ text }]),
    ...toolCalls.map(toCallPart)
  ]
  return makeJsonResponse({
    ...makeEnvelope(request, message),
    ...toEnd(request, message, parts, toLogprobs(request, message)),
    usageMetadata: toUsage(request, message)
  })
}

const toThought = (text: string): Json => ({ text, thought: true })

/** Only the first of parallel calls is signed. */
const toCallPart = ({ arguments: json, id, name }: ToolCall, index: number): Json => ({
  functionCall: { id, name, args: JSON.parse(json || "{}") },
  ...(index === 0 ? { thoughtSignature: "c2lnbmVkLWJ5LXRoZS1zY3JpcHQ=" } : undefined)
})

const makeEnvelope = ({ at, model }: RecordedRequest, { report }: ScriptedMessage) => ({
  responseId: report.id ?? `response-${at}`,
  modelVersion: report.model ?? model
})

/** The indices of the requested answers. */
const makeIndices = (request: RecordedRequest): ReadonlyArray<number> =>
  Array.from({ length: Number(findConfig(request, "candidateCount") ?? 1) }, (_, index) => index)

const toCandidate = (index: number, parts: ReadonlyArray<Json>, rest: Json = {}) => ({
  index,
  content: { role: "model", parts: parts.length === 0 ? [{ text: "" }] : parts },
  ...rest
})

/** A blocked prompt has no candidates. */
const toEnd = (
  request: RecordedRequest,
  message: ScriptedMessage,
  parts: ReadonlyArray<Json>,
  logprobs?: Json
): Json => {
  const { finishReason, refused } = message
  if (finishReason === "content_filter" && toText(message.pieces) === "") {
    return { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }
  }
  const reason = refused ? "SAFETY" : (finishReasons.get(finishReason) ?? finishReason)
  const end = { finishReason: reason, ...logprobs }
  return { candidates: makeIndices(request).map((index) => toCandidate(index, parts, end)) }
}

/** By the finish reason of a chat. */
const finishReasons: ReadonlyMap<string, string> = new Map([
  ["stop", "STOP"],
  ["tool_calls", "STOP"],
  ["length", "MAX_TOKENS"],
  ["content_filter", "SAFETY"],
  ["error", "OTHER"]
])

/** Nothing unless they are requested. */
const toLogprobs = (
  request: RecordedRequest,
  { pieces, probabilities }: ScriptedMessage
): Json | undefined => {
  if (findConfig(request, "responseLogprobs") !== true) return undefined
  const candidates = compareProbability(probabilities ?? { [toText(pieces)]: 1 })
    .filter(([, probability]) => probability > 0)
    .map(([token, probability], tokenId) => ({
      token,
      tokenId,
      logProbability: Math.log(probability)
    }))
  const top = candidates.slice(0, Number(findConfig(request, "logprobs") ?? 0))
  return {
    avgLogprobs: candidates[0]?.logProbability,
    logprobsResult: {
      chosenCandidates: candidates.slice(0, 1),
      ...(top.length === 0 ? undefined : { topCandidates: [{ candidates: top }] })
    }
  }
}

/** Thoughts are counted beside the answer. */
const toUsage = (request: RecordedRequest, message: ScriptedMessage): Json => {
  const { pieces, reasoning = "", report, toolCalls = [] } = message
  const said = reasoning + toText(pieces) + toolCalls.map((call) => call.arguments).join("")
  const prompt = report.usage?.inputTokens ?? countTokens(request.raw)
  const all = report.usage?.outputTokens ?? countTokens(said) * makeIndices(request).length
  const cached = findUsageDetail(message, "prompt_tokens_details", "cached_tokens")
  const thoughts = findUsageDetail(message, "completion_tokens_details", "reasoning_tokens")
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: all - (thoughts ?? 0),
    ...(cached === null ? undefined : { cachedContentTokenCount: cached }),
    ...(thoughts === null ? undefined : { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + all
  }
}

/** There is no event after the end, and calls are whole. */
const toStream = (request: RecordedRequest, message: ScriptedMessage): ScriptedResponse => {
  const envelope = makeEnvelope(request, message)
  const usage = toUsage(request, message)
  const { promptTokenCount } = usage
  const soFar = { promptTokenCount, totalTokenCount: promptTokenCount }
  const say = (part: Json, rest?: Json): Timeline<Uint8Array> =>
    makeIndices(request).map((index) =>
      encodeEvent({
        data: { ...envelope, candidates: [toCandidate(index, [part], rest)], usageMetadata: soFar }
      })
    )
  const { error, pieces, reasoning, toolCalls = [] } = message
  const firstText = pieces.findIndex((piece) => typeof piece === "string")
  const speak = (piece: string | Wait, i: number): Timeline<Uint8Array> =>
    typeof piece === "string"
      ? say({ text: piece }, i === firstText ? toLogprobs(request, message) : undefined)
      : [piece]
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: [
      ...(reasoning === undefined ? [] : say(toThought(reasoning))),
      ...pieces.flatMap(speak),
      ...toolCalls.map(toCallPart).flatMap((call) => say(call)),
      encodeEvent({
        data:
          error === undefined
            ? { ...envelope, ...toEnd(request, message, []), usageMetadata: usage }
            : toGeminiError(error.code, error.message)
      })
    ]
  }
}
