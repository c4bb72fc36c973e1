import { type ChatCallInput, makeChatCall } from "@signalbox/core/dialects"
import { assert, describe, expect, it } from "@effect/vitest"
import { type ChatCall, toStream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { echoChat } from "../../src/demo/echoChat.ts"

const makeCall = (content: unknown, more: Partial<ChatCallInput> = {}) =>
  makeChatCall({
    model: "parrot-1",
    messages: [
      { role: "system", content: "Be a parrot." },
      { role: "user", content },
      { role: "assistant", content: "Well" }
    ],
    parameters: {},
    contentBytes: 90,
    ...more
  })

const complete = (call: ChatCall) =>
  Effect.provide(Effect.result(echoChat.complete(call)), FetchHttpClient.layer)

/** The events of a stream, and its end. */
const collectStream = Effect.fnUntraced(function* (call: ChatCall) {
  const events: Array<unknown> = []
  const running = Stream.runForEach(toStream(echoChat.stream(call)), (event) =>
    Effect.sync(() => events.push(event))
  )
  const fiber = yield* Effect.forkChild(Effect.provide(running, FetchHttpClient.layer))
  yield* TestClock.adjust("10 seconds")
  return { events, end: yield* Effect.result(Fiber.join(fiber)) }
})

const makeDelta = (text: string) => ({
  type: "delta",
  choices: [{ index: 0, events: [{ type: "text", text }] }]
})

describe("the parrot", () => {
  it.effect("repeats the last message, whole or word by word", () =>
    Effect.gen(function* () {
      const call = makeCall("Hello  there!")
      const usage = { inputTokens: 23, outputTokens: 4 }
      assert.deepStrictEqual(Result.getOrThrow(yield* complete(call)), {
        choices: [
          {
            index: 0,
            answer: {
              parts: [{ type: "text", text: "You said: Hello there!" }],
              end: { reason: "stop" }
            }
          }
        ],
        usage
      })
      assert.deepStrictEqual((yield* collectStream(call)).events, [
        makeDelta("You "),
        makeDelta("said: "),
        makeDelta("Hello "),
        makeDelta("there!"),
        { type: "delta", choices: [{ index: 0, events: [], end: { reason: "stop" } }] },
        { type: "end", usage }
      ])
    })
  )

  it.effect("takes its time between words", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const running = Stream.runForEach(toStream(echoChat.stream(makeCall("Hello"))), (event) =>
        Effect.sync(() => seen.push(event))
      )
      yield* Effect.forkChild(Effect.provide(running, FetchHttpClient.layer))
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(seen, [makeDelta("You ")])
      yield* TestClock.adjust(50)
      assert.deepStrictEqual(seen, [makeDelta("You "), makeDelta("said: ")])
      yield* TestClock.adjust(50)
      assert.strictEqual(seen.length, 5)
    })
  )

  it.effect("hears the text of a list of parts, and says so when there is none", () =>
    Effect.gen(function* () {
      const parts = [
        { type: "text", text: "a" },
        { type: "image_url" },
        { type: "text", text: "b" }
      ]
      const said = [
        yield* complete(makeCall(parts)),
        yield* complete(makeCall(null)),
        yield* complete(makeCall("", { messages: [] }))
      ].map((result) => Result.getOrThrow(result).choices[0]?.answer.parts)
      assert.deepStrictEqual(said, [
        [{ type: "text", text: "You said: a b" }],
        [{ type: "text", text: "Nobody said anything." }],
        [{ type: "text", text: "Nobody said anything." }]
      ])
    })
  )

  it.effect("stops at the limit", () =>
    Effect.gen(function* () {
      const call = makeCall("Hello there!", { maxOutputTokens: 3 })
      expect(Result.getOrThrow(yield* complete(call))).toMatchObject({
        choices: [{ answer: { parts: [{ text: "You said: Hello " }], end: { reason: "length" } } }],
        usage: { outputTokens: 3 }
      })
      assert.strictEqual(echoChat.estimateWorstCase(call).outputTokens, 3)
    })
  )

  it.effect("breaks off where the message asks it to fail", () =>
    Effect.gen(function* () {
      const call = makeCall("Please fail!")
      assert.isTrue(Result.isFailure(yield* complete(call)))
      const { end, events } = yield* collectStream(call)
      assert.deepStrictEqual(events, [makeDelta("You "), makeDelta("said: ")])
      expect(Result.isFailure(end) && end.failure).toMatchObject({ kind: "server_error" })
    })
  )
})
