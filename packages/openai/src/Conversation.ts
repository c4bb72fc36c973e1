/** Makes the chat calls of one Decision, and sums their usage. */
import {
  type DecisionCall,
  type DecisionReply,
  postJson,
  sumUsage,
  type TokenUsage,
  type UpstreamFailure
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type ChatResponse, parseChatResponse } from "./ChatResponse.ts"

export interface Endpoint {
  readonly url: string
  readonly apiKey: Redacted.Redacted | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
}

export type UpstreamEffect<A> = Effect.Effect<A, UpstreamFailure, HttpClient.HttpClient>

export interface Conversation {
  readonly ask: (body: object) => UpstreamEffect<ChatResponse>
  /** The sum over all answers so far, including refusals and errors; absent before the first report. */
  readonly getUsage: () => TokenUsage | undefined
  /** The id, model and service tier of the last answer, as the endpoint reports them. */
  readonly getMetadata: () => Pick<DecisionReply, "id" | "model" | "serviceTier">
}

export const makeConversation = (endpoint: Endpoint, call: DecisionCall): Conversation => {
  let usage: TokenUsage | undefined
  let last: ReturnType<Conversation["getMetadata"]> = {}
  const count = (more: TokenUsage | undefined): void => {
    if (more === undefined) return
    call.onUsage(more)
    usage = usage === undefined ? more : sumUsage(usage, more)
  }
  const request = {
    url: endpoint.url,
    apiKey: call.credential ?? endpoint.apiKey,
    headers: endpoint.headers
  }
  return {
    ask: (body) =>
      Effect.flatMap(postJson({ ...request, body }), (json) => {
        const answer = parseChatResponse(json)
        count(Result.isSuccess(answer) ? answer.success.usage : answer.failure.usage)
        if (Result.isSuccess(answer)) {
          const { id, model, serviceTier } = answer.success
          last = {
            ...last,
            ...(id === undefined ? undefined : { id }),
            ...(model === undefined ? undefined : { model }),
            ...(serviceTier === undefined ? undefined : { serviceTier })
          }
        }
        return Effect.fromResult(answer)
      }),
    getUsage: () => usage,
    getMetadata: () => last
  }
}
