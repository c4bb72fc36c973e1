/** Sends one chat whose answer comes as a whole. */
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import { isDeeperThan } from "../../values/json/JsonCost.ts"
import type { ChatCapability, ChatReply } from "./ChatCapability.ts"
import { UpstreamFailure } from "./failures/UpstreamFailure.ts"
import { type JsonRequest, postJson } from "./transport/jsonRequests.ts"

/** `parse` gets the JSON of a 2xx response, which is not too deep. */
export const completeChat = (
  request: JsonRequest,
  parse: (json: unknown) => Result.Result<ChatReply, UpstreamFailure>
): Effect.Effect<ChatReply, UpstreamFailure, HttpClient.HttpClient> =>
  postJson(request, (json, { maxJsonDepth }) => {
    // Answers are passed on mostly unread, and their serialization is recursive.
    if (isDeeperThan(json, maxJsonDepth)) {
      const detail = `the answer nests deeper than ${maxJsonDepth} levels`
      return Result.fail(new UpstreamFailure({ kind: "invalid_answer", detail }))
    }
    return parse(json)
  })

/** `choose` gets the model's name at the upstream, and should return the same capability for the same name. */
export const chooseChat = (choose: (model: string) => ChatCapability): ChatCapability => ({
  complete: (call) => choose(call.model).complete(call),
  stream: (call) => choose(call.model).stream(call),
  estimateWorstCase: (call) => choose(call.model).estimateWorstCase(call),
  dialect: (model) => {
    const { dialect = "chat" } = choose(model)
    return typeof dialect === "function" ? dialect(model) : dialect
  },
  refusesPrefill: (model) => choose(model).refusesPrefill?.(model) ?? false,
  reasoningFamily: (model) => {
    const { reasoningFamily } = choose(model)
    return typeof reasoningFamily === "function" ? reasoningFamily(model) : reasoningFamily
  }
})
