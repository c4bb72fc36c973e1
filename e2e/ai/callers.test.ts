import { authenticateKey, CurrentCaller, SignalboxLanguageModel } from "@signalbox/core/ai"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { fault, pace, reply, ScriptedUpstream } from "@signalbox/testing"
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import { findFinish, flipReason, startAi } from "./startAi.ts"

const asked = LanguageModel.generateText({ prompt: "Is it calm at sea?" })
const getId = ({ content }: Effect.Success<typeof asked>) =>
  findFinish(content).metadata.signalbox?.generationId

describe("the caller", () => {
  test("is the application unless the effect has another one, which the record names", async () => {
    const { readRecord, run } = await startAi()
    const acme = { account: "acme", user: "ada", kind: "member" } as const
    const [own, acmes] = await run(
      Effect.all([asked, Effect.provideService(asked, CurrentCaller, acme)])
    )
    expect(await readRecord(getId(own))).toMatchObject({ id: getId(own) })
    expect(await readRecord(getId(acmes), { caller: acme })).toMatchObject({ id: getId(acmes) })
    await expect(readRecord(getId(acmes))).rejects.toMatchObject({ _tag: "ResourceNotFound" })
  })

  test("is the owner of an API key", async () => {
    const { readRecord, run } = await startAi({
      keys: [{ key: "sk-sb-ada", account: "acme", kind: "member", user: "ada" }]
    })
    const answer = await run(
      Effect.flatMap(authenticateKey(Redacted.make("sk-sb-ada")), (caller) =>
        Effect.provideService(asked, CurrentCaller, caller)
      )
    )
    const ada = { account: "acme", user: "ada", kind: "member" } as const
    expect(await readRecord(getId(answer), { caller: ada })).toMatchObject({ id: getId(answer) })
  })

  test("is unauthenticated with an unknown API key", async () => {
    const { run } = await startAi()
    const reason = await run(flipReason(authenticateKey(Redacted.make("sk-unknown"))))
    expect(reason).toMatchObject({
      _tag: "AuthenticationError",
      kind: "InvalidKey",
      metadata: { signalbox: { error: "Unauthenticated", status: 401 } }
    })
  })

  test("cannot exceed its limit, and no provider is asked", async () => {
    const { first, run } = await startAi()
    const reason = await run(
      flipReason(
        asked.pipe(
          SignalboxLanguageModel.withConfigOverride({ max_tokens: 100 }),
          Effect.provideService(CurrentCaller, {
            account: "acme",
            user: "ada",
            limit: 0.01,
            limitReset: "daily"
          })
        )
      )
    )
    expect(reason).toMatchObject({
      _tag: "QuotaExhaustedError",
      isRetryable: false,
      resetAt: expect.anything(),
      metadata: {
        signalbox: {
          error: "LimitExceeded",
          status: 402,
          limit: "key",
          limit_usd: 0.01,
          available_usd: 0.01
        }
      }
    })
    expect(first.requests).toEqual([])
  })

  test("with an invalid field gets an error that names it", async () => {
    const { run } = await startAi()
    const reason = await run(
      flipReason(
        Effect.provideService(asked, CurrentCaller, { account: "acme", workspace: "none" })
      )
    )
    expect(reason).toMatchObject({ _tag: "InvalidRequestError", parameter: "caller.workspace" })
  })
})

describe("an error", () => {
  test.each([
    [
      "of an unknown model",
      { model: "sea/none" },
      { _tag: "InvalidRequestError", metadata: { signalbox: { error: "ModelNotFound" } } }
    ],
    ["of a field", { max_tokens: 0 }, { _tag: "InvalidRequestError", parameter: "max_tokens" }],
    [
      "of preferences that leave no endpoint",
      { provider: { only: ["third"] } },
      {
        _tag: "InvalidRequestError",
        metadata: {
          signalbox: {
            error: "NoEndpoints",
            routing: { rejected: [{ reasons: [{ rule: "only" }] }, {}] }
          }
        }
      }
    ]
  ])("%s says what is wrong", async (_, config, expected) => {
    const { run } = await startAi()
    const reason = await run(flipReason(SignalboxLanguageModel.withConfigOverride(asked, config)))
    expect(reason).toMatchObject(expected)
  })

  test("of providers that limit rates says when to come back", async () => {
    const { first, run, second } = await startAi()
    first.always(fault.status(429, { retryAfter: 7 }))
    second.always(fault.status(429, { retryAfter: 9 }))
    const reason = await run(flipReason(asked))
    expect(reason).toMatchObject({
      _tag: "RateLimitError",
      metadata: {
        signalbox: {
          status: 429,
          previous_errors: [
            { provider: "first", code: "rate_limited" },
            { provider: "second", code: "rate_limited" }
          ]
        }
      }
    })
    expect("retryAfter" in reason && reason.retryAfter).toEqual(Duration.seconds(7))
  })

  test("of a provider that refuses the content is a content policy error", async () => {
    const { first, run } = await startAi()
    first.always(fault.status(400, { kind: "content_policy_violation" }))
    const reason = await run(
      flipReason(
        SignalboxLanguageModel.withConfigOverride(asked, { provider: { only: ["first"] } })
      )
    )
    expect(reason).toMatchObject({ _tag: "ContentPolicyError" })
  })

  test("does not hold the key of the provider", async () => {
    const { first, run, second } = await startAi()
    first.always(fault.status(401, { message: "Incorrect API key: sk-first" }))
    second.always(fault.status(401, { message: "Incorrect API key: sk-second" }))
    const error = await run(Effect.flip(asked))
    expect(JSON.stringify(error)).not.toMatch(/sk-(first|second)/)
    expect(error.message).not.toMatch(/sk-(first|second)/)
  })
})

describe("over an instance made with promises", () => {
  test("a model answers until the instance closes, which waits for its answers", async () => {
    await using server = await ScriptedUpstream.start()
    const instance = await Signalbox.make({
      upstreams: [openai({ baseUrl: `${server.url}/v1`, apiKey: "sk-upstream" })],
      models: [
        { id: "sea/pilot", endpoints: [{ provider: "openai", price: {}, contextLength: 8_192 }] }
      ]
    })
    const model = SignalboxLanguageModel.model("sea/pilot").pipe(
      Layer.provide(Layer.succeedContext(instance.context))
    )
    const gate = server.gate()
    server.script(reply.chat([gate, "It is calm."]))
    const answering = Effect.runPromise(Effect.provide(asked, model))
    await server.waitForRequests(1)
    const closing = instance.close()
    const reason = await Effect.runPromise(Effect.provide(flipReason(asked), model))
    expect(reason).toMatchObject({
      _tag: "InternalProviderError",
      metadata: { signalbox: { error: "Draining", status: 503 } }
    })
    gate.open()
    expect((await answering).text).toBe("It is calm.")
    await closing
  })

  test.each([
    ["a text", asked],
    ["a stream", Stream.runDrain(LanguageModel.streamText({ prompt: "Is it calm at sea?" }))]
  ])("%s fails when the time for draining is up", async (_, call) => {
    await using server = await ScriptedUpstream.start()
    const instance = await Signalbox.make({
      upstreams: [openai({ baseUrl: `${server.url}/v1`, apiKey: "sk-upstream" })],
      models: [
        { id: "sea/pilot", endpoints: [{ provider: "openai", price: {}, contextLength: 8_192 }] }
      ],
      settings: { drainTimeoutMillis: 1 }
    })
    const model = SignalboxLanguageModel.model("sea/pilot").pipe(
      Layer.provide(Layer.succeedContext(instance.context))
    )
    server.always(pace.hold(server.gate(), "response_headers"))
    const answering = Effect.runPromise(flipReason(Effect.provide(Effect.asVoid(call), model)))
    await server.waitForRequests(1)
    await instance.close()
    expect(await answering).toMatchObject({ _tag: "InternalProviderError" })
  })
})
