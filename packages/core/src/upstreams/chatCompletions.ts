/** Chats at any endpoint that speaks OpenAI's dialect of them. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import { Settings } from "../Settings.ts"
import { isDeeperThan } from "../values/jsonDepth.ts"
import type { ChatCall, ChatCapability, ChatReply } from "./ChatCapability.ts"
import { chatEvents } from "./chatEvents.ts"
import { postEvents } from "./postEvents.ts"
import { type ChatMaxima, chatWorstCase } from "./chatWorstCase.ts"
import { readChatReply } from "./readChatReply.ts"
import type { CostOf } from "./readChatUsage.ts"
import { type JsonRequest, postJson } from "./requestJson.ts"
import { UpstreamFailure } from "./UpstreamFailure.ts"
import type { UpstreamRequest } from "./UpstreamRequest.ts"

/** An endpoint of OpenAI's chat dialect. */
export interface ChatEndpoint
  extends Pick<UpstreamRequest, "url" | "apiKey" | "headers">, ChatMaxima {
  /** What the `usage` of an answer says that the call cost; absent: what it says of that is not believed. */
  readonly costOf?: CostOf
}

/**
 * Asks `url` with the model, the messages and the parameters as they are, and nothing else but `stream`, and
 * for a stream the usage at its end; the call's own credential is used instead of `apiKey`.
 */
export const chatCompletions = (endpoint: ChatEndpoint): ChatCapability => {
  const { apiKey, costOf, headers, url } = endpoint
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
    worstCase: (call) => chatWorstCase(call, endpoint)
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
