import { type ChatCallInput, makeChatCall } from "../../../src/dialects/chat/makeChatCall.ts"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, expect, it, layer } from "@effect/vitest"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { runStream } from "../../../src/routing/attempt/runStream.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { fromStream } from "../../../src/values/push/PushStream.ts"
import { toStream } from "../../../src/values/push/toStream.ts"
import type { ChatEvent } from "../../../src/engine/upstreams/ChatCapability.ts"
import { writeEvents } from "@signalbox/testing"
import {
  type ChatEndpoint,
  makeChatCompletions
} from "../../../src/dialects/chat/makeChatCompletions.ts"
import { makePendingRuns } from "../../../src/values/PendingRuns.ts"

const maxImageTokens = 5_000
const maxOutputTokens = 900

const at = (url: string, maxima: Partial<ChatEndpoint> = {}) =>
  makeChatCompletions({
    ...maxima,
    url: `${url}/v1/chat/completions`,
    apiKey: undefined,
    maxImageTokens,
    maxOutputTokens
  })

const makeCall = (
  messages: ChatCallInput["messages"],
  parameters: Readonly<Record<string, unknown>> = {}
) =>
  makeChatCall({
    model: "m",
    messages,
    parameters,
    contentBytes: Buffer.byteLength(JSON.stringify({ messages, parameters }))
  })

const askWith = (...content: ReadonlyArray<unknown>) => makeCall([{ role: "user", content }])
const greeting = [{ role: "user", content: "Hello" }]
const hello = makeCall(greeting)

const begun = { index: 0, id: "a", type: "function", function: { name: "look", arguments: "" } }
const makeToolCall = (text: string) => [{ index: 0, function: { arguments: text } }]

const usageOf = (completion_tokens: number) => ({ prompt_tokens: 5, completion_tokens })

const provider = Effect.acquireRelease(
  Effect.promise(() => ScriptedUpstream.start()),
  (upstream) => Effect.promise(() => upstream.close())
)

layer(NodeHttpClient.layerUndici)("chatCompletions", (it) => {
  it.effect("does not let parameters override the model, the messages or the stream flag", () =>
    Effect.gen(function* () {
      const upstream = yield* provider
      const call = makeCall(greeting, {
        model: "another",
        messages: [],
        stream: 7,
        stream_options: null,
        seed: 1
      })
      yield* at(upstream.url).complete(call)
      yield* Stream.runDrain(toStream(at(upstream.url).stream(call)))
      const asked = { model: "m", messages: greeting, seed: 1 }
      assert.deepStrictEqual(
        upstream.requests.map(({ body }) => body),
        [
          { ...asked, stream: false, stream_options: null },
          { ...asked, stream: true, stream_options: { include_usage: true } }
        ]
      )
    })
  )

  it.effect("reuses a connection after a stream", () =>
    Effect.gen(function* () {
      const upstream = yield* provider
      const chunk = { choices: [{ delta: { content: "one" } }] }
      // The last content, followed by the end of the stream.
      upstream.always(reply.events([{ data: chunk }, { data: "[DONE]" }, 5]))
      const chat = at(upstream.url)
      for (let i = 0; i < 10; i++) yield* Stream.runDrain(toStream(chat.stream(hello)))
      // A connection may not be free yet at the next request.
      assert.isAtMost(upstream.connections, 2)
    })
  )

  it.effect("redacts a customer's credential that is split across two events", () =>
    Effect.gen(function* () {
      const upstream = yield* provider
      const deltas = [
        { content: "sk-of-a-cust" },
        { content: "omer!", tool_calls: [begun] },
        { tool_calls: makeToolCall('{"key":"c2stb2Y') },
        { tool_calls: makeToolCall('tYS1jdXN0b21lcg=="}') }
      ]
      upstream.always(
        reply.events([
          ...deltas.map((delta) => ({ data: { choices: [{ delta }] } })),
          { data: "[DONE]" }
        ])
      )
      const call = { ...hello, credential: Redacted.make("sk-of-a-customer") }
      const events = yield* Stream.runCollect(toStream(at(upstream.url).stream(call)))
      const said = writeEvents(events).flatMap((event) =>
        event.type === "delta" ? event.choices : []
      )
      assert.deepStrictEqual(
        said.map(({ delta }) => delta),
        [
          { content: "[redacted]" },
          { content: "!", tool_calls: [begun] },
          { tool_calls: makeToolCall('{"key":"[redacted]') },
          { tool_calls: makeToolCall('g=="}') },
          {}
        ]
      )
    })
  )

  it.effect("reports the usage of a stream that is cut off", () =>
    Effect.gen(function* () {
      const upstream = yield* provider
      upstream.always(
        reply.events([
          { data: { choices: [{ delta: { content: "one" } }], usage: usageOf(1) } },
          { data: { choices: [{ delta: { content: "two" } }] } },
          { data: { choices: [], usage: usageOf(3) } },
          { data: { choices: [], usage: { prompt_tokens: 5 } } }
        ])
      )
      const stated: Array<unknown> = []
      const call = { ...hello, onUsage: (usage: unknown) => void stated.push(usage) }
      const events = yield* Stream.runCollect(toStream(at(upstream.url).stream(call)))
      assert.lengthOf(events, 2)
      assert.deepStrictEqual(stated, [
        { inputTokens: 5, outputTokens: 1 },
        undefined,
        { inputTokens: 5, outputTokens: 3 }
      ])
    })
  )

  it.effect("sends a request for each run of a stream, and keeps the answers apart", () =>
    Effect.gen(function* () {
      const upstream = yield* provider
      upstream.script(
        reply.chat("one", { model: "m-1" }),
        reply.chat("two", { usage: { inputTokens: 1, outputTokens: 1 } })
      )
      const stream = toStream(at(upstream.url).stream(hello))
      const [first, second] = [yield* Stream.runCollect(stream), yield* Stream.runCollect(stream)]
      assert.deepInclude(first.at(-1), { type: "end", model: "m-1" })
      assert.deepStrictEqual(second.at(-1), {
        type: "end",
        id: "chatcmpl-2",
        model: "m",
        usage: { inputTokens: 1, outputTokens: 1 }
      })
      assert.strictEqual(upstream.requests.length, 2)
    })
  )
})

/** The result of a stream that is opened like a request's and read to its end. */
const opened = (url: string) =>
  Effect.gen(function* () {
    const options = {
      afterwards: yield* makePendingRuns(yield* Effect.scope),
      clock: yield* Clock.Clock,
      isTerminal: ({ type }: ChatEvent) => type === "end",
      settings: yield* Settings.Settings
    }
    yield* runStream(fromStream(at(url).stream(hello)), () => Effect.void, options)
  }).pipe(Effect.scoped, Effect.as("whole"), Effect.catch(Effect.succeed))

const role = { data: { choices: [{ delta: { role: "assistant", content: "" } }] } }
const word = { data: { choices: [{ delta: { content: "Hello" } }] } }
const comment = { comment: "processing" }

layer(NodeHttpClient.layerUndici)("a chat that a request opens", (it) => {
  it.effect("is complete with its end or its finish reason, and fails without both", () =>
    Effect.gen(function* () {
      const upstream = yield* provider
      upstream.script(
        reply.chat("Hello"),
        reply.chat("Hello", { done: false }),
        reply.events([word, { data: "[DONE]" }]),
        reply.events([word]),
        reply.events([])
      )
      for (let i = 0; i < 3; i++) assert.strictEqual(yield* opened(upstream.url), "whole")
      for (let i = 0; i < 2; i++) {
        expect(yield* opened(upstream.url)).toMatchObject({
          kind: "invalid_answer",
          detail: "the stream ended before it was complete"
        })
      }
    })
  )

  // On the real clock, because pauses between pieces take real time.
  it.effect.each([
    { events: [role, comment], settings: { firstEventTimeoutMillis: 50 }, phase: "first_event" },
    {
      events: [role, word, comment, role],
      settings: { streamIdleTimeoutMillis: 50 },
      phase: "between_events"
    }
  ])("fails after a silence, which a role and a comment do not end: $phase", (silence) =>
    Effect.gen(function* () {
      const upstream = yield* provider
      upstream.script(reply.events([...silence.events, upstream.gate()]))
      const failure = yield* Effect.provideService(
        TestClock.withLive(opened(upstream.url)),
        Settings.Settings,
        Settings.make(silence.settings)
      )
      expect(failure).toMatchObject({ kind: "timeout", phase: silence.phase })
      yield* Effect.promise(() => upstream.waitForAborts(1))
    })
  )
})

describe("the worst case of a chat", () => {
  const { estimateWorstCase } = at("http://127.0.0.1:1")
  const address = `data:image/png;base64,${"A".repeat(10_000)}`

  it("is a token for each byte, and the maximum output", () => {
    const { inputTokens, outputTokens } = estimateWorstCase({ ...hello, maxOutputTokens: 30 })
    assert.isAtLeast(inputTokens, hello.contentBytes)
    assert.strictEqual(outputTokens, 30)
  })

  it("assumes the maximum output of the endpoint when no cap is set", () => {
    assert.strictEqual(estimateWorstCase(hello).outputTokens, maxOutputTokens)
  })

  it.each([
    [{ n: 3 }, 3],
    [{ n: 1 }, 1],
    [{ n: 2, best_of: 5 }, 5],
    [{ best_of: 4 }, 4],
    // The core rejects these values; a direct call must not profit from them either.
    [{ n: 0 }, 1],
    [{ n: -2 }, 1],
    [{ n: 1.5 }, 2],
    [{ n: "2" }, 2],
    [{ n: [5] }, 5],
    [{ n: 1e300 }, 1e6],
    [{ n: null }, 1],
    [{ n: {} }, 1]
  ])("of %o is that of %i answers", (parameters, answers) => {
    const call = { ...makeCall(greeting, parameters), maxOutputTokens: 10 }
    assert.strictEqual(estimateWorstCase(call).outputTokens, 10 * answers)
  })

  const maxima = { maxAudioTokens: 7_000, maxVideoTokens: 8_000, maxFileTokens: 9_000 }
  const bounded = at("http://127.0.0.1:1", maxima)
  const pdf = `data:application/pdf;base64,${"A".repeat(2_796_204)}`

  it.each([
    ["an image", { type: "image_url", image_url: { url: address } }, address, 5_000],
    ["an image given as a plain URL", { type: "image_url", image_url: address }, address, 5_000],
    ["an image of another dialect", { type: "input_image", image_url: address }, address, 5_000],
    ["an image without a URL", { type: "image_url" }, "", 5_000],
    ["a file of 2 MB", { type: "file", file: { filename: "a", file_data: pdf } }, pdf, 9_000],
    ["a file of another dialect", { type: "input_file", file_data: pdf }, pdf, 9_000],
    ["a file given by its id", { type: "file", file: { file_id: "f" } }, "", 9_000],
    ["an unknown type", { type: "hologram" }, "", 9_000],
    ["a video", { type: "video_url", video_url: { url: address } }, address, 8_000],
    [
      "audio at a URL",
      { type: "audio_url", audio_url: { url: "https://a/b" } },
      "https://a/b",
      7_000
    ],
    ["long sound", { type: "input_audio", input_audio: { data: address } }, address, 7_000],
    ["short sound", { type: "input_audio", input_audio: { data: "AAAA" } }, "AAAA", 4]
  ])("counts %s at the highest cost of its kind, not by its bytes", (_, part, payload, most) => {
    const frame = estimateWorstCase(hello).inputTokens - hello.contentBytes
    const call = askWith({ type: "text", text: "Look!" }, part)
    assert.strictEqual(
      bounded.estimateWorstCase(call).inputTokens,
      call.contentBytes - payload.length + frame + most
    )
  })

  it("counts a text file by its text", () => {
    const text = `data:text/plain;base64,${"A".repeat(40_000)}`
    const call = askWith({ type: "file", file: { file_data: text } })
    const { inputTokens } = bounded.estimateWorstCase(call)
    assert.isAtLeast(inputTokens, 30_000)
    assert.isBelow(inputTokens, 32_000)
  })

  it("counts text by its bytes, and other content as nothing", () => {
    const frame = estimateWorstCase(hello).inputTokens - hello.contentBytes
    for (const call of [askWith({ type: "text", text: "a" }), askWith(null, 7, [])]) {
      assert.strictEqual(estimateWorstCase(call).inputTokens, call.contentBytes + frame)
    }
  })

  it("includes parts that may have separate prices: audio, imageses", () => {
    const spoken = {
      ...makeCall(greeting, { modalities: ["text", "audio"] }),
      maxOutputTokens: 9
    }
    assert.strictEqual(estimateWorstCase(spoken).audioOutputTokens, 9)
    const drawn = { ...makeCall(greeting, { modalities: ["image"] }), maxOutputTokens: 9 }
    assert.strictEqual(estimateWorstCase(drawn).imageOutputTokens, 9)
    const heard = askWith({ type: "input_audio", input_audio: { data: "AAAA" } })
    assert.strictEqual(estimateWorstCase(heard).audioTokens, 4)
  })
})
