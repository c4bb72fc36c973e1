/** Chats that exceed the context length of endpoints. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { Chats } from "../../../src/domains/chat/Chats.ts"
import { toErrorResponse } from "../../../src/api/errors/toErrorResponse.ts"
import type { Generation } from "../../../src/engine/observability/generations/Generation.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { toTokenPrice, type World } from "../decisions/decisionFixtures.ts"
import { fakeChatUpstream, makeChatWorld, parseChat } from "./chatFixtures.ts"

const chatRequest = {
  model: "a/b",
  messages: [{ role: "user", content: "word ".repeat(2_000) }],
  provider: { sort: "price" }
}
const complete = (request: object = chatRequest) =>
  Chats.use((chats) => chats.complete(hostCaller, parseChat(request)))
const provideWorld =
  (config: World) =>
  <A, E>(effect: Effect.Effect<A, E, Chats>) =>
    Effect.provide(effect, makeChatWorld(config))

const upstreams = [fakeChatUpstream("one", {}), fakeChatUpstream("two", {})]
const endpoints = [
  { provider: "one", price: toTokenPrice(1), contextLength: 1_000 },
  { provider: "two", price: toTokenPrice(2), contextLength: 2_000 }
]
const roomy = { id: "c/d", endpoints: [{ provider: "two", price: toTokenPrice(2) }] }

const tooLong = new UpstreamFailure({
  kind: "context_length",
  status: 400,
  detail: "This model's maximum context length is 4096 tokens."
})

describe("a chat that is too long", () => {
  it.effect("fails with the context length when it exceeds that of every endpoint", () => {
    const records: Array<Generation> = []
    return Effect.gen(function* () {
      const error = yield* Effect.flip(complete({ ...chatRequest, max_tokens: 100 }))
      assert(error._tag === "ContextLengthExceeded")
      const { inputTokens } = parseChat({ ...chatRequest, max_tokens: 100 })
      const { message, metadata, status } = toErrorResponse(error)
      assert.strictEqual(status, 400)
      assert.strictEqual(
        message,
        `This endpoint's maximum context length is 2000 tokens. However, you requested about ${inputTokens + 100} tokens (${inputTokens} of text input, 100 in the output). Please reduce the length of either one.`
      )
      assert.deepInclude(metadata, {
        error_type: "context_length_exceeded",
        availability: {
          code: "context_length_exceeded",
          retryable: false,
          requested_models: ["a/b"]
        },
        context_length: 2_000,
        requested_tokens: inputTokens + 100,
        input_tokens: inputTokens,
        output_tokens: 100
      })
      assert.strictEqual(records[0]?.error, "ContextLengthExceeded")
    }).pipe(provideWorld({ upstreams, endpoints, records }))
  })

  it.effect("fails with the context length of the endpoints that the other rules allow", () =>
    Effect.gen(function* () {
      const provider = { only: ["one"] }
      const error = yield* Effect.flip(complete({ ...chatRequest, provider }))
      assert(error._tag === "ContextLengthExceeded")
      assert.strictEqual(error.limit, 1_000)
      const noEndpoints = yield* Effect.flip(
        complete({ ...chatRequest, provider: { only: ["three"] } })
      )
      assert.strictEqual(noEndpoints._tag, "NoEndpoints")
    }).pipe(provideWorld({ upstreams, endpoints }))
  )

  it.effect("falls back to a model with a longer context", () =>
    Effect.gen(function* () {
      const { model } = yield* complete({ ...chatRequest, models: ["a/b", "c/d"] })
      assert.strictEqual(model, "c/d")
    }).pipe(provideWorld({ upstreams, endpoints, models: [roomy] }))
  )

  it.effect("falls back to the next model when the provider reports the context length", () =>
    Effect.gen(function* () {
      const { model } = yield* complete({ ...chatRequest, models: ["a/b", "c/d"] })
      assert.strictEqual(model, "c/d")
    }).pipe(
      provideWorld({
        upstreams: [
          fakeChatUpstream("one", { complete: () => Effect.fail(tooLong) }),
          fakeChatUpstream("two", {})
        ],
        endpoints: [{ provider: "one", price: toTokenPrice(1) }],
        models: [roomy]
      })
    )
  )

  it.effect("fails as too long when every provider reports it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(complete({ ...chatRequest, models: ["a/b", "c/d"] }))
      const { message, metadata, status } = toErrorResponse(error)
      assert.strictEqual(status, 400)
      assert.strictEqual(metadata?.["error_type"], "context_length_exceeded")
      assert.include(message, "maximum context length")
    }).pipe(
      provideWorld({
        upstreams: ["one", "two"].map((slug) =>
          fakeChatUpstream(slug, { complete: () => Effect.fail(tooLong) })
        ),
        endpoints: [{ provider: "one", price: toTokenPrice(1) }],
        models: [roomy]
      })
    )
  )
})
