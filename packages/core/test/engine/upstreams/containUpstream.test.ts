import { makeChatCall } from "../../../src/dialects/chat/makeChatCall.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import { inspect } from "node:util"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { ChatCapability, ChatEvent } from "../../../src/engine/upstreams/ChatCapability.ts"
import { containUpstream } from "../../../src/engine/upstreams/containUpstream.ts"
import type { Upstream } from "../../../src/engine/upstreams/Upstream.ts"
import {
  UpstreamDefect,
  UpstreamFailure
} from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { toStream } from "../../../src/values/push/toStream.ts"
import type { VideoCapability } from "../../../src/engine/upstreams/VideoCapability.ts"

const credential = Redacted.make("customers-own-secret")
const call = makeChatCall({
  model: "m",
  messages: [{ role: "user", content: "hi" }],
  parameters: {},
  contentBytes: 10,
  credential
})
const messageWithSecrets =
  "no way with customers-own-secret, sk-hostsown and Authorization: Bearer abc.def"

const reply = {
  choices: [
    {
      index: 0,
      answer: { parts: [{ type: "text" as const, text: "hi" }], end: { reason: "stop" } }
    }
  ]
}
const chat: ChatCapability = {
  complete: () => Effect.succeed(reply),
  stream: () => Stream.empty,
  estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
}
const containChat = (members: Partial<Record<keyof ChatCapability, unknown>>): ChatCapability => {
  // These values violate the types on purpose.
  const upstream = { slug: "one", name: "One", chat: { ...chat, ...members } } as Upstream
  return containUpstream(upstream).chat!
}

const network = Effect.provideService(
  HttpClient.HttpClient,
  HttpClient.make(() => Effect.die("no network"))
)

/** The failure, and the log. */
const getFailure = Effect.fnUntraced(function* (
  effect: Effect.Effect<unknown, UpstreamFailure, HttpClient.HttpClient>
) {
  const logs: Array<unknown> = []
  const logger = Logger.make(({ cause, message }) => void logs.push([message, cause]))
  const failure = yield* Effect.flip(network(effect)).pipe(Effect.provide(Logger.layer([logger])))
  return { failure, logs: inspect(logs, { depth: 30 }) }
})

const hollow = () => Stream.make({ type: "delta" })

const misbehaviours: ReadonlyArray<readonly [string, () => unknown]> = [
  [
    "throws",
    () => {
      throw new Error(messageWithSecrets)
    }
  ],
  ["rejects a promise", () => Effect.promise(() => Promise.reject(new Error(messageWithSecrets)))],
  ["dies", () => Effect.die(new Error(messageWithSecrets))],
  ["fails with another error", () => Effect.fail(messageWithSecrets)],
  [
    "fails with a lookalike of a failure",
    () => Effect.fail({ _tag: "UpstreamFailure", kind: messageWithSecrets })
  ],
  ["interrupts itself", () => Effect.interrupt],
  ["returns a promise instead of an Effect", () => Promise.resolve(reply)],
  ["returns nothing", () => undefined]
]

describe("containUpstream", () => {
  it.effect.each(misbehaviours)("a provider that %s causes a failure of kind defect", ([, way]) =>
    Effect.gen(function* () {
      const { failure, logs } = yield* getFailure(containChat({ complete: way }).complete(call))
      assert.instanceOf(failure, UpstreamFailure)
      assert.strictEqual(failure.kind, "defect")
      assert.strictEqual(failure.detail, "the provider's code has a defect")
      assert.include(logs, 'the code of the upstream \\"one\\" has a defect'.replaceAll("\\", ""))
      for (const secret of ["customers-own-secret", "hostsown", "abc.def"]) {
        assert.notInclude(logs, secret)
      }
    })
  )

  it.effect.each([
    ["an answer without choices", { usage: {} }],
    ["a choice without an answer", { choices: [{ index: 0 }] }],
    ["a cost in USD", { ...reply, cost: 0.01 }],
    ["null", null],
    ["a text", "hi"]
  ] as const)("rejects %s", ([, value]) =>
    Effect.gen(function* () {
      const contained = containChat({ complete: () => Effect.succeed(value) })
      const { failure } = yield* getFailure(contained.complete(call))
      assert.strictEqual(failure.kind, "invalid_answer")
    })
  )

  it.effect("passes answers and valid failures through", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* network(containChat({}).complete(call)), reply)
      const refused = new UpstreamFailure({ kind: "rate_limited", status: 429 })
      for (const complete of [
        () => Effect.fail(refused),
        () => Effect.die(refused),
        () => Effect.promise(() => Promise.reject(refused)),
        () => {
          throw refused
        }
      ]) {
        const { failure, logs } = yield* getFailure(containChat({ complete }).complete(call))
        assert.strictEqual(failure, refused)
        assert.strictEqual(logs, "[]")
      }
    })
  )

  it.effect("stays interruptible from outside", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        network(
          Effect.timeoutOrElse(containChat({ complete: () => Effect.never }).complete(call), {
            duration: 0,
            orElse: () => Effect.fail("over")
          })
        )
      )
      assert.deepStrictEqual(exit, Exit.fail("over"))
    })
  )

  const delta: ChatEvent = {
    type: "delta",
    choices: [{ index: 0, events: [{ type: "text", text: "hi" }] }]
  }
  const streams: ReadonlyArray<readonly [string, () => unknown, events: number]> = [
    [
      "throws before it begins",
      () => {
        throw new Error(messageWithSecrets)
      },
      0
    ],
    ["returns no stream", () => Effect.succeed(delta), 0],
    ["dies before the first event", () => Stream.die(new Error(messageWithSecrets)), 0],
    [
      "dies after it",
      () => Stream.concat(Stream.make(delta), Stream.die(new Error(messageWithSecrets))),
      1
    ],
    [
      "throws after it",
      () =>
        Stream.concat(
          Stream.make(delta),
          Stream.suspend((): never => {
            throw new Error(messageWithSecrets)
          })
        ),
      1
    ],
    ["fails with another error", () => Stream.fail(new Error(messageWithSecrets)), 0]
  ]
  it.effect.each(streams)("contains a stream that %s", ([, stream, count]) =>
    Effect.gen(function* () {
      const events: Array<unknown> = []
      const { failure, logs } = yield* getFailure(
        Stream.runForEach(toStream(containChat({ stream }).stream(call)), (event) =>
          Effect.sync(() => void events.push(event))
        )
      )
      assert.strictEqual(failure.kind, "defect")
      assert.lengthOf(events, count)
      assert.notInclude(logs, "customers-own-secret")
    })
  )

  const oldText = { role: "assistant", content: "hi" }
  const oldReply = { choices: [{ index: 0, message: oldText, finishReason: "stop" }] }
  const oldDelta = { index: 0, delta: { content: "hi" }, finishReason: null }
  const oldEvent = { type: "delta", choices: [oldDelta] }

  it.effect("says what to return to a host whose answer still has a message", () =>
    Effect.gen(function* () {
      for (const complete of [
        () => Effect.succeed(oldReply),
        () => Effect.as(Effect.yieldNow, oldReply)
      ]) {
        const { failure, logs } = yield* getFailure(containChat({ complete }).complete(call))
        assert.strictEqual(failure.kind, "invalid_answer")
        assert.include(logs, 'the code of the upstream "one" has a defect')
        assert.match(logs, /return `answer: \{ parts: .* end: \{ reason \} \}` instead/)
      }
    })
  )

  it.effect("says what to emit to a host whose events still have a delta", () =>
    Effect.gen(function* () {
      const { failure, logs } = yield* getFailure(
        Stream.runDrain(
          toStream(containChat({ stream: () => Stream.make(delta, oldEvent) }).stream(call))
        )
      )
      assert.strictEqual(failure.kind, "invalid_answer")
      assert.include(logs, 'the code of the upstream "one" has a defect')
      assert.match(logs, /emit `events: \[.*\]` instead, and `end: \{ reason \}`/)
    })
  )

  it.effect("rejects an event without choices", () =>
    Effect.gen(function* () {
      const { failure } = yield* getFailure(
        Stream.runDrain(toStream(containChat({ stream: hollow }).stream(call)))
      )
      assert.strictEqual(failure.kind, "invalid_answer")
    })
  )

  it.each([
    [
      "throws",
      () => {
        throw new Error(messageWithSecrets)
      }
    ],
    ["returns nothing", () => undefined],
    ["returns no numbers", () => ({ inputTokens: "many", outputTokens: Number.NaN })]
  ])(
    "distinguishes an estimateWorstCase that %s from a defect of Signalbox",
    (_, estimateWorstCase) => {
      try {
        containChat({ estimateWorstCase }).estimateWorstCase(call)
        assert.fail("it did not throw")
      } catch (error) {
        assert(error instanceof UpstreamDefect)
        assert.strictEqual(error.slug, "one")
        assert.notInclude(Cause.pretty(error.reason), "customers-own-secret")
      }
    }
  )

  it.effect("keeps the prototype and the `this` of a host's class", () =>
    Effect.gen(function* () {
      class Own implements ChatCapability {
        readonly ignoresCredentials = true as const
        readonly #reply = reply
        complete() {
          return Effect.succeed(this.#reply)
        }
        stream() {
          return Stream.empty
        }
        estimateWorstCase() {
          return { inputTokens: this.#reply.choices.length, outputTokens: 0 }
        }
      }
      const own = Object.freeze(new Own())
      const { chat: contained, name, slug } = containUpstream({ slug: "s", name: "S", chat: own })
      assert.deepStrictEqual([slug, name], ["s", "S"])
      assert.strictEqual(contained?.ignoresCredentials, true)
      assert.strictEqual(yield* network(contained!.complete(call)), reply)
      assert.deepStrictEqual(contained?.estimateWorstCase(call), {
        inputTokens: 1,
        outputTokens: 0
      })
    })
  )

  it.effect("fails when a video file ends early", () =>
    Effect.gen(function* () {
      const videos: VideoCapability = {
        submit: () => Effect.die("not asked for"),
        poll: () => Effect.die(new Error(messageWithSecrets)),
        getContent: () =>
          Effect.succeed({
            contentType: "video/mp4",
            bytes: Stream.concat(
              Stream.make(new Uint8Array(1)),
              Stream.die(new Error(messageWithSecrets))
            ),
            length: undefined,
            contentRange: undefined,
            acceptsRanges: false
          }),
        estimateWorstCase: () => ({ videos: 1 })
      }
      const contained = containUpstream({ slug: "s", name: "S", videos }).videos!
      assert.isFalse("cancel" in contained)
      const job = { upstreamId: "1", credential }
      const polled = yield* getFailure(contained.poll(job))
      assert.strictEqual(polled.failure.kind, "defect")
      assert.notInclude(polled.logs, "customers-own-secret")
      const { failure } = yield* getFailure(
        Effect.scoped(
          Effect.flatMap(contained.getContent({ ...job, index: 0 }), ({ bytes }) =>
            Stream.runDrain(bytes)
          )
        )
      )
      assert.strictEqual(failure.kind, "defect")
    })
  )
})
