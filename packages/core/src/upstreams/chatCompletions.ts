/** Chats at any endpoint that speaks OpenAI's dialect of them. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import { Settings } from "../Settings.ts"
import { isDeeperThan } from "../values/jsonDepth.ts"
import type { TokenUsage } from "../values/TokenUsage.ts"
import type { ChatCall, ChatCapability, ChatMessage, ChatReply } from "./ChatCapability.ts"
import { chatEvents } from "./chatEvents.ts"
import { isObject } from "./isObject.ts"
import { postEvents } from "./postEvents.ts"
import { readChatReply } from "./readChatReply.ts"
import type { CostOf } from "./readChatUsage.ts"
import { type JsonRequest, postJson } from "./requestJson.ts"
import { UpstreamFailure } from "./UpstreamFailure.ts"
import type { UpstreamRequest } from "./UpstreamRequest.ts"

export interface ChatEndpoint extends Pick<UpstreamRequest, "url" | "apiKey" | "headers"> {
  /** What the `usage` of an answer says that the call cost; absent: what it says of that is not believed. */
  readonly costOf?: CostOf
  /** The most input tokens that an image, or another file of a message, may cost. */
  readonly maxImageTokens: number
  /** The most output tokens of one answer, where neither the caller nor the catalog says how many. */
  readonly maxOutputTokens: number
}

/**
 * Asks `url` with the model, the messages and the parameters as they are, and nothing else but `stream`, and
 * for a stream the usage at its end; the call's own credential is used instead of `apiKey`.
 */
export const chatCompletions = (endpoint: ChatEndpoint): ChatCapability => {
  const { apiKey, costOf, headers, maxImageTokens, maxOutputTokens, url } = endpoint
  const requestOf = (call: ChatCall, how: object) => ({
    url,
    apiKey: call.credential ?? apiKey,
    headers,
    body: { ...call.parameters, model: call.model, messages: call.messages, ...how }
  })
  return {
    complete: (call) => complete(requestOf(call, { stream: false }), costOf),
    stream: (call) =>
      postEvents({
        ...requestOf(call, { stream: true, stream_options: { include_usage: true } }),
        reader: () => chatEvents(costOf, call.stated)
      }),
    worstCase: (call) => worstCase(call, maxImageTokens, maxOutputTokens)
  }
}

const complete: (
  request: JsonRequest,
  costOf: CostOf | undefined
) => Effect.Effect<ChatReply, UpstreamFailure, HttpClient.HttpClient> = Effect.fnUntraced(
  function* (request, costOf) {
    const json = yield* postJson(request)
    const { maxJsonDepth } = yield* Settings
    // Most of an answer is passed on unread, and what writes it is recursive.
    if (isDeeperThan(json, maxJsonDepth)) {
      const detail = `the answer nests deeper than ${maxJsonDepth} levels`
      return yield* new UpstreamFailure({ kind: "invalid_answer", detail })
    }
    return yield* Effect.fromResult(readChatReply(json, costOf))
  }
)

/**
 * A token is at least one byte of text, so bytes bound tokens. What a file costs does not follow from its
 * address or its size: `maxImageTokens` stands for each.
 */
const worstCase = (call: ChatCall, maxImageTokens: number, maxOutputTokens: number): TokenUsage => {
  let inputTokens = call.contentBytes + frameTokens
  for (const part of call.messages.flatMap(partsOf)) {
    const { type } = part
    if (type === "image_url") inputTokens -= addressOf(part).length
    if (!textual.has(type)) inputTokens += maxImageTokens
  }
  const { n } = call.parameters
  const answers = typeof n === "number" && Number.isSafeInteger(n) && n > 0 ? n : 1
  return { inputTokens, outputTokens: (call.maxOutputTokens ?? maxOutputTokens) * answers }
}

/** What the chat format itself puts around messages and tools. */
const frameTokens = 1_000

/** Parts whose bytes bound their tokens, sound included. */
const textual: ReadonlySet<unknown> = new Set(["text", "refusal", "input_audio"])

const partsOf = ({ content }: ChatMessage): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(content) ? content.filter(isObject) : []

const addressOf = ({ image_url }: Readonly<Record<string, unknown>>): string => {
  const url = isObject(image_url) ? image_url["url"] : image_url
  return typeof url === "string" ? url : ""
}
