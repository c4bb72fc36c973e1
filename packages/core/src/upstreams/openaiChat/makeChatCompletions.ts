/** Chats at any endpoint that speaks OpenAI's dialect of them. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import { Settings } from "../../Settings.ts"
import { isDeeperThan } from "../../values/json/isDeeperThan.ts"
import type { ChatCall, ChatCapability, ChatReply } from "../ChatCapability.ts"
import { makeChatEventReader } from "./makeChatEventReader.ts"
import { streamEvents } from "../transport/streamEvents.ts"
import { type ChatTokenLimits, estimateChatWorstCase } from "./estimateChatWorstCase.ts"
import { parseChatReply } from "./parseChatReply.ts"
import type { CostParser } from "./parseChatUsage.ts"
import { type JsonRequest, postJson } from "../transport/jsonRequests.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import type { UpstreamRequest } from "../transport/UpstreamRequest.ts"

/** An endpoint of OpenAI's chat dialect. */
export interface ChatEndpoint
  extends Pick<UpstreamRequest, "url" | "apiKey" | "headers">, ChatTokenLimits {
  /** What the `usage` of an answer says that the call cost; absent: what it says of that is not believed. */
  readonly parseCost?: CostParser
}

/**
 * Asks `url` with the model, the messages and the parameters as they are, and nothing else but `stream`, and
 * for a stream the usage at its end; the call's own credential is used instead of `apiKey`.
 */
export const makeChatCompletions = (endpoint: ChatEndpoint): ChatCapability => {
  const { apiKey, parseCost, headers, url } = endpoint
  const toRequest = (call: ChatCall, streamOptions: object) => ({
    url,
    apiKey: call.credential ?? apiKey,
    headers,
    body: { ...call.parameters, model: call.model, messages: call.messages, ...streamOptions }
  })
  return {
    complete: (call) => complete(toRequest(call, { stream: false }), parseCost),
    stream: (call) =>
      streamEvents({
        ...toRequest(call, { stream: true, stream_options: { include_usage: true } }),
        reader: () => makeChatEventReader(parseCost, call.onUsage)
      }),
    estimateWorstCase: (call) => estimateChatWorstCase(call, endpoint)
  }
}

const complete: (
  request: JsonRequest,
  costOf: CostParser | undefined
) => Effect.Effect<ChatReply, UpstreamFailure, HttpClient.HttpClient> = Effect.fnUntraced(
  function* (request, costOf) {
    const json = yield* postJson(request)
    const { maxJsonDepth } = yield* Settings
    // Most of an answer is passed on unread, and what writes it is recursive.
    if (isDeeperThan(json, maxJsonDepth)) {
      const detail = `the answer nests deeper than ${maxJsonDepth} levels`
      return yield* new UpstreamFailure({ kind: "invalid_answer", detail })
    }
    return yield* Effect.fromResult(parseChatReply(json, costOf))
  }
)
