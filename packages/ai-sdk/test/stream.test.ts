import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import { type ChatEvent, Settings, toStream } from "@signalbox/core/upstream"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { writeEvents } from "@signalbox/testing"
import { fromAiSdk } from "../src/index.ts"
import { finish, makeFakeModel, streamOf } from "./FakeModel.ts"
import { call, joinDeltas, stream } from "./runChat.ts"

const format = "ai-sdk-fake.chat-v1"

const streamParts = (
  parts: ReadonlyArray<LanguageModelV4StreamPart>,
  parameters: Readonly<Record<string, unknown>> = {}
) =>
  stream(fromAiSdk(makeFakeModel({ stream: () => streamOf(...parts) }), { slug: "fake" }), {
    parameters
  })

const deltasOf = (events: ReadonlyArray<ChatEvent>) =>
  writeEvents(events).flatMap((event) =>
    event.type === "delta" ? event.choices.map(({ delta }) => delta) : []
  )

/** The first piece of a call, and a later one. */
const head = (index: number, id: string, name: string, written = "") => ({
  tool_calls: [{ index, id, type: "function", function: { name, arguments: written } }]
})
const more = (index: number, written: string) => ({
  tool_calls: [{ index, function: { arguments: written } }]
})

/** Runs what times out. */
const runLate = <A, E>(effect: Effect.Effect<A, E>) =>
  effect.pipe(
    Effect.updateService(Settings, (settings) => ({
      ...settings,
      headersTimeoutMillis: 1_000,
      bodyTimeoutMillis: 500
    })),
    Effect.flip,
    Effect.forkChild
  )

/** A stream that says one word and then waits, and what is known about its end. */
const makeOpenStream = () => {
  const cancelled = Promise.withResolvers<void>()
  const parts = new ReadableStream<LanguageModelV4StreamPart>({
    start: (controller) => controller.enqueue({ type: "text-delta", id: "1", delta: "one " }),
    cancel: () => cancelled.resolve()
  })
  return { parts, cancelled: cancelled.promise }
}

describe("a streamed answer", () => {
  it.effect("has an event for each piece, and at its end the usage and the names", () =>
    Effect.gen(function* () {
      const events = yield* streamParts([
        { type: "stream-start", warnings: [] },
        { type: "response-metadata", id: "r1", modelId: "fake-2030" },
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta: "" },
        { type: "text-delta", id: "1", delta: "Calm" },
        { type: "ping" },
        { type: "text-delta", id: "1", delta: "." },
        {
          type: "text-end",
          id: "1",
          citations: [
            {
              source: { type: "source", sourceType: "url", id: "s", url: "https://sea.example" },
              startIndex: 0,
              endIndex: 4
            }
          ]
        },
        {
          type: "file",
          mediaType: "image/png",
          data: { type: "data", data: new Uint8Array([104, 105]) }
        },
        {
          type: "finish",
          finishReason: { unified: "length", raw: "max_tokens" },
          usage: {
            inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: undefined },
            outputTokens: { total: 2, text: 2, reasoning: undefined }
          }
        }
      ])
      assert.deepStrictEqual(deltasOf(events), [
        { content: "Calm" },
        { content: "." },
        {
          annotations: [
            {
              type: "url_citation",
              url_citation: { url: "https://sea.example", start_index: 0, end_index: 4 }
            }
          ]
        },
        { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } }] },
        {}
      ])
      assert.deepInclude(events.at(-2), {
        choices: [{ index: 0, events: [], end: { reason: "length", nativeReason: "max_tokens" } }]
      })
      assert.deepStrictEqual(events.at(-1), {
        type: "end",
        id: "r1",
        model: "fake-2030",
        usage: { inputTokens: 5, outputTokens: 2, cachedTokens: 0 },
        usageDetails: { prompt_tokens_details: { cached_tokens: 0 } }
      })
    })
  )

  it.effect("has the last metadata of a thought as its signature", () =>
    Effect.gen(function* () {
      const events = yield* streamParts([
        { type: "reasoning-start", id: "a", providerMetadata: { fake: { itemId: "rs_1" } } },
        { type: "reasoning-delta", id: "a", delta: "Hm" },
        { type: "reasoning-start", id: "b" },
        { type: "reasoning-delta", id: "a", delta: "." },
        { type: "reasoning-delta", id: "b", delta: "Ah." },
        {
          type: "reasoning-delta",
          id: "a",
          delta: "",
          providerMetadata: { fake: { signature: "s" } }
        },
        { type: "reasoning-end", id: "a" },
        { type: "reasoning-end", id: "b", providerMetadata: { fake: {} } },
        finish
      ])
      assert.deepStrictEqual(joinDeltas(events).details, [
        { type: "reasoning.text", text: "Hm", format, index: 0 },
        { type: "reasoning.text", text: ".", format, index: 0 },
        { type: "reasoning.text", text: "Ah.", format, index: 1 },
        {
          type: "reasoning.text",
          signature: '{"fake":{"signature":"s"}}',
          format,
          index: 0
        }
      ])
    })
  )

  it.effect("has each call once, with the names and the signatures of the request", () =>
    Effect.gen(function* () {
      const events = yield* streamParts(
        [
          { type: "tool-input-start", id: "c1", toolName: "look_up" },
          { type: "tool-input-delta", id: "c1", delta: '{"word":' },
          { type: "tool-input-delta", id: "c1", delta: '"sea"}' },
          { type: "tool-input-end", id: "c1" },
          {
            type: "tool-call",
            toolCallId: "c1",
            toolName: "look_up",
            input: '{"word":"sea"}',
            providerMetadata: { fake: { thoughtSignature: "t" } }
          },
          { type: "tool-call", toolCallId: "c2", toolName: "halt", input: "{}" },
          { type: "tool-input-start", id: "c3", toolName: "run" },
          { type: "tool-input-delta", id: "c3", delta: '{"input":"ls"}' },
          { type: "tool-call", toolCallId: "c3", toolName: "run", input: '{"input":"ls"}' },
          { type: "tool-input-start", id: "c4", toolName: "late" },
          { type: "tool-call", toolCallId: "c4", toolName: "late", input: "{}" },
          { type: "tool-input-start", id: "own", toolName: "search", providerExecuted: true },
          { type: "tool-input-delta", id: "own", delta: "{}" },
          { type: "tool-call", toolCallId: "own", toolName: "search", input: "{}" },
          finish
        ],
        {
          tools: [
            { type: "function", function: { name: "look.up" } },
            { type: "custom", custom: { name: "run" } }
          ]
        }
      )
      assert.deepStrictEqual(deltasOf(events), [
        head(0, "c1", "look.up"),
        more(0, '{"word":'),
        more(0, '"sea"}'),
        {
          reasoning_details: [
            {
              type: "reasoning.encrypted",
              data: '{"fake":{"thoughtSignature":"t"}}',
              id: "c1",
              format,
              index: 0
            }
          ]
        },
        head(1, "c2", "halt", "{}"),
        {
          tool_calls: [{ index: 2, id: "c3", type: "custom", custom: { name: "run", input: "ls" } }]
        },
        head(3, "c4", "late"),
        more(3, "{}"),
        {}
      ])
      assert.deepInclude(events.at(-2), {
        choices: [{ index: 0, events: [], end: { reason: "tool_calls", nativeReason: "end_turn" } }]
      })
    })
  )

  it.effect("without a finish has no end, and one with an error is a failure", () =>
    Effect.gen(function* () {
      const one: LanguageModelV4StreamPart = { type: "text-delta", id: "1", delta: "one" }
      assert.deepStrictEqual(yield* streamParts([one]), [
        { type: "delta", choices: [{ index: 0, events: [{ type: "text", text: "one" }] }] }
      ])
      const fail = (...parts: ReadonlyArray<LanguageModelV4StreamPart>) =>
        Effect.map(Effect.flip(streamParts([one, ...parts])), ({ kind }) => kind)
      assert.strictEqual(yield* fail({ type: "error", error: "out of luck" }), "server_error")
      const busy = { code: 429, message: "slow down" }
      assert.strictEqual(yield* fail({ type: "error", error: busy }), "rate_limited")
      assert.strictEqual(yield* fail({ type: "error", error: undefined }), "server_error")
      assert.strictEqual(yield* fail({ type: "error", error: new TypeError("oops") }), "defect")
      assert.strictEqual(
        yield* fail({ ...finish, finishReason: { unified: "interrupted", raw: undefined } }),
        "invalid_answer"
      )
      // Not what the types promise.
      assert.strictEqual(yield* fail(null as never), "defect")
    })
  )

  it.effect("is refused above the limits of its parts and of the whole", () =>
    Effect.gen(function* () {
      const parts = Array.from({ length: 5 }, (): LanguageModelV4StreamPart => ({
        type: "text-delta",
        id: "1",
        delta: "x".repeat(10)
      }))
      const limit = (limits: {
        readonly maxStreamBytes?: number
        readonly maxUpstreamBodyBytes?: number
      }) =>
        Effect.flip(
          Effect.updateService(streamParts(parts), Settings, (settings) => ({
            ...settings,
            ...limits
          }))
        )
      assert.strictEqual((yield* limit({ maxStreamBytes: 49 })).kind, "invalid_answer")
      assert.strictEqual((yield* limit({ maxUpstreamBodyBytes: 9 })).kind, "invalid_answer")
    })
  )

  it.effect("aborts its request when it is interrupted, before and within the answer", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const signals: Array<AbortSignal | undefined> = []
      const { cancelled, parts } = makeOpenStream()
      const late = Promise.withResolvers<ReadableStream<LanguageModelV4StreamPart>>()
      const model = makeFakeModel({
        // Heeds no signal.
        stream: ({ abortSignal }) => {
          signals.push(abortSignal)
          Deferred.doneUnsafe(started, Effect.void)
          return late.promise
        }
      })
      const fiber = yield* Effect.forkChild(stream(fromAiSdk(model, { slug: "fake" })))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(signals[0]?.aborted)
      // What comes later is closed too.
      late.resolve(parts)
      yield* Effect.promise(() => cancelled)
    })
  )

  it.effect("is cancelled when its reader stops", () =>
    Effect.gen(function* () {
      const { cancelled, parts } = makeOpenStream()
      const model = makeFakeModel({ stream: () => parts })
      const { chat } = fromAiSdk(model, { slug: "fake" })
      const first = yield* Stream.runCollect(Stream.take(toStream(chat!.stream(call)), 1)).pipe(
        Effect.provide(FetchHttpClient.layer)
      )
      assert.strictEqual(first.length, 1)
      yield* Effect.promise(() => cancelled)
      assert.isTrue(model.calls[0]?.abortSignal?.aborted)
    })
  )

  it.effect("is read no further than its reader", () =>
    Effect.gen(function* () {
      let made = 0
      const endless = new ReadableStream<LanguageModelV4StreamPart>(
        {
          pull: (controller) => {
            made++
            controller.enqueue({ type: "text-delta", id: "1", delta: "x" })
          }
        },
        { highWaterMark: 0 }
      )
      const { chat } = fromAiSdk(makeFakeModel({ stream: () => endless }), { slug: "fake" })
      const behind = yield* Deferred.make<void>()
      const caughtUp = yield* Deferred.make<void>()
      const wentOn = yield* Deferred.make<void>()
      const source = chat!.stream(call)
      assert.isTrue("run" in source)
      if (!("run" in source)) return
      let taken = 0
      const fiber = yield* Effect.forkChild(
        Effect.provide(
          source.run(() => {
            taken++
            if (taken < 3) return Effect.void
            if (taken > 3) {
              Deferred.doneUnsafe(wentOn, Effect.void)
              return Effect.never
            }
            Deferred.doneUnsafe(behind, Effect.void)
            return Effect.andThen(Deferred.await(caughtUp), Effect.void)
          }),
          FetchHttpClient.layer
        )
      )
      yield* Deferred.await(behind)
      assert.strictEqual(made, 3)
      yield* Deferred.succeed(caughtUp, undefined)
      yield* Deferred.await(wentOn)
      assert.strictEqual(taken, 4)
      yield* Fiber.interrupt(fiber)
    })
  )
})

describe("a model that does not answer", () => {
  it.effect(
    "is given up after the time for headers, and for a whole answer that of its body too",
    () =>
      Effect.gen(function* () {
        const aborted: Array<boolean> = []
        const never = (options: { readonly abortSignal?: AbortSignal }) =>
          new Promise<never>(() => {
            options.abortSignal?.addEventListener("abort", () => aborted.push(true))
          })
        const upstream = fromAiSdk(makeFakeModel({ generate: never, stream: never }), {
          slug: "fake"
        })
        const whole = yield* runLate(
          Effect.provide(upstream.chat!.complete(call), FetchHttpClient.layer)
        )
        const streamed = yield* runLate(stream(upstream))
        yield* TestClock.adjust(1_000)
        const late = { kind: "timeout", phase: "headers" } as const
        assert.deepInclude(yield* Fiber.join(streamed), late)
        yield* TestClock.adjust(500)
        assert.deepInclude(yield* Fiber.join(whole), late)
        assert.deepStrictEqual(aborted, [true, true])
      })
  )
})
