import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { type OpenedStream, openStream } from "../../../src/routing/attempt/openStream.ts"
import { UpstreamFailure } from "../../../src/upstreams/failures/UpstreamFailure.ts"
import * as Settings from "../../../src/Settings.ts"
import { makePricedCandidate } from "../makeCandidate.ts"
import { runScriptedAttempts } from "./runScriptedAttempts.ts"

const settings = Settings.layer({
  firstEventTimeoutMillis: 1_000,
  streamIdleTimeoutMillis: 300
})

/** A pause in milliseconds, an event, or a failure. */
type Step = number | string | UpstreamFailure
const broken = new UpstreamFailure({ kind: "unreachable", phase: "body" })
/** Failures of an upstream, at the start or the end of a stream. */
const errorEvent = new UpstreamFailure({ kind: "server_error", detail: "Ouch." })
const refusal = new UpstreamFailure({ kind: "content_refused", detail: "I can't help with that." })

/** Plays a script, and logs when it opens and closes its connection. */
const scripted = (
  name: string,
  steps: ReadonlyArray<Step>,
  log: Array<string> = []
): Stream.Stream<string, UpstreamFailure> =>
  Stream.unwrap(
    Effect.as(
      Effect.acquireRelease(
        Effect.sync(() => void log.push(`open ${name}`)),
        () => Effect.sync(() => void log.push(`close ${name}`))
      ),
      Stream.fromIterable(steps).pipe(
        Stream.rechunk(1),
        Stream.flatMap((step): Stream.Stream<string, UpstreamFailure> => {
          if (typeof step === "number") return Stream.fromEffectDrain(Effect.sleep(step))
          return typeof step === "string" ? Stream.make(step) : Stream.fail(step)
        })
      )
    )
  )

const isDone = (event: string): boolean => event === "done"

/** The events of an opened stream up to a failure, and the failure. */
const heard = Effect.fnUntraced(function* (opened: OpenedStream<string, never>, pauseMillis = 0) {
  const events: Array<string> = []
  const end = yield* Stream.runForEach(opened.events, (event) => {
    events.push(event)
    return pauseMillis === 0 ? Effect.void : Effect.sleep(pauseMillis)
  }).pipe(Effect.raceFirst(opened.idleTimeout), Effect.result)
  return { events, failure: Result.isFailure(end) ? end.failure : undefined }
})

/** Opens a script and reads it to its end, while this much time passes. */
const play = Effect.fnUntraced(function* (...steps: ReadonlyArray<Step>) {
  const fiber = yield* Effect.forkChild(
    Effect.result(Effect.flatMap(openStream(scripted("s", steps), isDone), heard))
  )
  yield* TestClock.adjust(100_000)
  return yield* Fiber.join(fiber)
})

const truncated = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the stream ended before it was complete"
})

describe("openStream", () => {
  it.effect("passes on every event, including the first", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* play(999, "a", 299, "b", "c", 299, "done"),
        Result.succeed({ events: ["a", "b", "c", "done"], failure: undefined })
      )
      assert.deepStrictEqual(
        yield* play("done"),
        Result.succeed({ events: ["done"], failure: undefined })
      )
    }).pipe(Effect.provide(settings))
  )

  it.effect(
    "fails before the commit point when the stream is broken, empty or silent for too long",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* play(10, broken, "a", "done"), Result.fail(broken))
        assert.deepStrictEqual(yield* play(), Result.fail(truncated))
        assert.deepStrictEqual(
          yield* play(1_001, "a", "done"),
          Result.fail(new UpstreamFailure({ kind: "timeout", phase: "first_event" }))
        )
      }).pipe(Effect.provide(settings))
  )

  it.effect(
    "fails within the stream after the commit point, after the events before the failure",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          yield* play("a", "b", broken),
          Result.succeed({ events: ["a", "b"], failure: broken })
        )
        assert.deepStrictEqual(
          yield* play("a", 301, "b", "done"),
          Result.succeed({
            events: ["a"],
            failure: new UpstreamFailure({ kind: "timeout", phase: "between_events" })
          })
        )
      }).pipe(Effect.provide(settings))
  )

  it.effect("fails when the stream ends without a terminal event", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* play("a", "b"),
        Result.succeed({ events: ["a", "b"], failure: truncated })
      )
      assert.deepStrictEqual(
        yield* play("done", "a"),
        Result.succeed({ events: ["done", "a"], failure: undefined })
      )
    }).pipe(Effect.provide(settings))
  )

  it.effect("does not count the time of the reader", () =>
    Effect.gen(function* () {
      const opened = yield* openStream(scripted("s", ["a", 200, "b", 200, "done"]), isDone)
      const fiber = yield* Effect.forkChild(heard(opened, 10_000))
      yield* TestClock.adjust(100_000)
      assert.deepStrictEqual(yield* Fiber.join(fiber), {
        events: ["a", "b", "done"],
        failure: undefined
      })
    }).pipe(Effect.provide(settings))
  )

  it.effect("releases the stream with the surrounding scope", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { events } = yield* openStream(scripted("s", ["a", 50, "done"], log), isDone)
          assert.deepStrictEqual(log, ["open s"])
          assert.deepStrictEqual(yield* Stream.runCollect(Stream.take(events, 1)), ["a"])
          assert.deepStrictEqual(log, ["open s"])
        })
      )
      assert.deepStrictEqual(log, ["open s", "close s"])
    }).pipe(Effect.provide(settings))
  )

  it.effect("releases the stream when it is interrupted while it opens", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const fiber = yield* Effect.forkChild(openStream(scripted("s", [500, "a"], log), isDone))
      yield* TestClock.adjust(100)
      assert.deepStrictEqual(log, ["open s"])
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(log, ["open s", "close s"])
    }).pipe(Effect.provide(settings))
  )
})

/** Routes to two scripts with a fallback, and reads the answer. */
const routing = (
  first: ReadonlyArray<Step>,
  second: ReadonlyArray<Step>,
  log: Array<string>,
  totalMillis = 60_000
) => {
  const scripts = new Map([
    ["one", first],
    ["two", second]
  ])
  return Effect.scoped(
    Effect.gen(function* () {
      const { attempts, served } = yield* runScriptedAttempts({
        candidates: [makePricedCandidate("one", 1), makePricedCandidate("two", 2)],
        run: ({ endpoint: { tag } }) =>
          Effect.map(openStream(scripted(tag, scripts.get(tag)!, log), isDone), (value) => ({
            value
          })),
        observer: {
          onAttempt: ({ abortReason, candidate, failure }) => {
            log.push(`${failure?.kind ?? abortReason ?? "served"} ${candidate.endpoint.tag}`)
          }
        },
        deadlineAt: totalMillis
      })
      return {
        attempts: attempts.length,
        answer: served === undefined ? undefined : yield* heard(served.value)
      }
    })
  )
}

describe("the commit point of a routed stream", () => {
  const route = Effect.fnUntraced(function* (
    first: ReadonlyArray<Step>,
    second: ReadonlyArray<Step>,
    totalMillis?: number
  ) {
    const log: Array<string> = []
    const fiber = yield* Effect.forkChild(routing(first, second, log, totalMillis))
    yield* TestClock.adjust(100_000)
    return { log, ...(yield* Fiber.join(fiber)) }
  })

  it.effect.each([
    ["breaks", [20, broken], "unreachable"],
    ["ends", [], "invalid_answer"],
    ["is silent", [5_000, "a"], "timeout"],
    ["reports an error", [20, errorEvent, "a", "done"], "server_error"]
  ] as const)(
    "falls back from a stream that %s before its first event, its connection closed first",
    ([, steps, kind]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* route(steps, ["x", "done"]), {
          attempts: 2,
          answer: { events: ["x", "done"], failure: undefined },
          log: ["open one", "close one", `${kind} one`, "open two", "served two", "close two"]
        })
      }).pipe(Effect.provide(settings))
  )

  it.effect("does not fall back from a stream that is a refusal", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* route([20, refusal], ["x", "done"]), {
        attempts: 1,
        answer: undefined,
        log: ["open one", "close one", "content_refused one"]
      })
    }).pipe(Effect.provide(settings))
  )

  it.effect.each([
    ["breaks", ["a", 10, broken], "unreachable"],
    ["ends too early", ["a", 10], "invalid_answer"],
    ["stalls", ["a", 5_000, "done"], "timeout"],
    ["reports an error", ["a", 10, errorEvent], "server_error"],
    ["reports an error at once", ["a", errorEvent], "server_error"],
    ["refuses", ["a", 10, refusal], "content_refused"]
  ] as const)("does not fall back from a stream that %s after its first event", ([, steps, kind]) =>
    Effect.gen(function* () {
      const { answer, attempts, log } = yield* route(steps, ["x", "done"])
      assert.strictEqual(attempts, 1)
      assert.deepStrictEqual(answer?.events, ["a"])
      assert.strictEqual(answer?.failure?.kind, kind)
      assert.deepStrictEqual(log, ["open one", "served one", "close one"])
    }).pipe(Effect.provide(settings))
  )

  it.effect.each([
    ["before its first event", [500, "a", "done"], ["open one", "close one", "interrupted one"]],
    ["after it", ["a", 250, "b", 250, "done"], ["open one", "served one", "close one"]]
  ] as const)("closes a stream whose caller disconnects %s, without a fallback", ([, steps, log]) =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const fiber = yield* Effect.forkChild(routing(steps, ["x", "done"], seen))
      yield* TestClock.adjust(100)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual<ReadonlyArray<string>>(seen, log)
      yield* TestClock.adjust(100_000)
      assert.deepStrictEqual<ReadonlyArray<string>>(seen, log)
    }).pipe(Effect.provide(settings))
  )

  it.effect("does not limit a committed stream by the timeout of a request", () =>
    Effect.gen(function* () {
      const steps = ["a", 200, "b", 200, "c", 200, "done"]
      const { answer } = yield* route(steps, [], 300)
      assert.deepStrictEqual(answer, { events: ["a", "b", "c", "done"], failure: undefined })
    }).pipe(Effect.provide(settings))
  )

  it.effect("closes the connection when the total deadline passes before the first event", () =>
    Effect.gen(function* () {
      const { answer, attempts, log } = yield* route([500, "a"], [500, "a"], 300)
      assert.isUndefined(answer)
      assert.strictEqual(attempts, 2)
      assert.deepStrictEqual(log, [
        "open one",
        "close one",
        "timeout one",
        "open two",
        "close two",
        "timeout two"
      ])
    }).pipe(Effect.provide(settings))
  )
})
