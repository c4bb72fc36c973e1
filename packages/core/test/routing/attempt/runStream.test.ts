import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { runStream } from "../../../src/routing/attempt/runStream.ts"
import { makePendingRuns } from "../../../src/values/PendingRuns.ts"
import { fromStream } from "../../../src/values/push/PushStream.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { makePricedCandidate } from "../makeCandidate.ts"
import { runScriptedAttempts } from "./runScriptedAttempts.ts"

const settings = { firstEventTimeoutMillis: 1_000, streamIdleTimeoutMillis: 300 }

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

/** Runs a stream; the reader takes `pauseMillis` for each event. */
const run = (
  source: Stream.Stream<string, UpstreamFailure>,
  events: Array<string>,
  { onFirst, pauseMillis = 0 }: { onFirst?: Effect.Effect<void>; pauseMillis?: number } = {}
) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const afterwards = yield* makePendingRuns(yield* Effect.scope)
    const context = yield* Effect.context()
    const options = { afterwards, clock, isTerminal: isDone, settings }
    yield* runStream(
      fromStream(source),
      (some) => {
        if (events.length === 0 && onFirst !== undefined) Effect.runSyncWith(context)(onFirst)
        events.push(...some)
        return pauseMillis === 0 ? Effect.void : Effect.sleep(pauseMillis)
      },
      options
    )
  })

/** The events of a script up to a failure, and the failure. */
const heard = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, pauseMillis = 0) {
  const events: Array<string> = []
  const end = yield* Effect.result(run(scripted("s", steps), events, { pauseMillis }))
  return { events, failure: Result.isFailure(end) ? end.failure : undefined }
})

/** Reads a script to its end, while this much time passes. */
const play = Effect.fnUntraced(function* (...steps: ReadonlyArray<Step>) {
  const fiber = yield* Effect.forkChild(heard(steps))
  yield* TestClock.adjust(100_000)
  return yield* Fiber.join(fiber)
})

const truncated = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the stream ended before it was complete"
})

describe("runStream", () => {
  it.effect("passes on every event, including the first", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* play(999, "a", 299, "b", "c", 299, "done"), {
        events: ["a", "b", "c", "done"],
        failure: undefined
      })
      assert.deepStrictEqual(yield* play("done"), { events: ["done"], failure: undefined })
    })
  )

  it.effect(
    "fails before the commit point when the stream is broken, empty or silent for too long",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* play(10, broken, "a", "done"), {
          events: [],
          failure: broken
        })
        assert.deepStrictEqual(yield* play(), { events: [], failure: truncated })
        assert.deepStrictEqual(yield* play(1_001, "a", "done"), {
          events: [],
          failure: new UpstreamFailure({ kind: "timeout", phase: "first_event" })
        })
      })
  )

  it.effect(
    "fails within the stream after the commit point, after the events before the failure",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* play("a", "b", broken), {
          events: ["a", "b"],
          failure: broken
        })
        assert.deepStrictEqual(yield* play("a", 301, "b", "done"), {
          events: ["a"],
          failure: new UpstreamFailure({ kind: "timeout", phase: "between_events" })
        })
      })
  )

  it.effect("fails when the stream ends without a terminal event", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* play("a", "b"), { events: ["a", "b"], failure: truncated })
      assert.deepStrictEqual(yield* play("done", "a"), {
        events: ["done"],
        failure: undefined
      })
    })
  )

  it.effect("does not count the time of the reader", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(heard(["a", 200, "b", 200, "done"], 10_000))
      yield* TestClock.adjust(100_000)
      assert.deepStrictEqual(yield* Fiber.join(fiber), {
        events: ["a", "b", "done"],
        failure: undefined
      })
    })
  )

  it.effect("counts the silence after a slow reader", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(heard(["a", 301, "b", "done"], 10_000))
      yield* TestClock.adjust(100_000)
      assert.deepStrictEqual(yield* Fiber.join(fiber), {
        events: ["a"],
        failure: new UpstreamFailure({ kind: "timeout", phase: "between_events" })
      })
    })
  )

  it.effect("reads on after the last event for a second, until its scope closes", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const events: Array<string> = []
      yield* run(scripted("ends", ["a", "done", 50, "ignored"], log), events)
      assert.deepStrictEqual(log, ["open ends"])
      yield* TestClock.adjust(50)
      assert.deepStrictEqual(log, ["open ends", "close ends"])
      yield* run(scripted("stays", ["done", 10_000], log), events)
      yield* TestClock.adjust(999)
      assert.deepStrictEqual(log.slice(2), ["open stays"])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(log.slice(2), ["open stays", "close stays"])
      yield* Effect.scoped(run(scripted("left", ["done", 10_000], log), events))
      assert.deepStrictEqual(log.slice(4), ["open left", "close left"])
      assert.deepStrictEqual(events, ["a", "done", "done", "done"])
    })
  )

  it.effect("releases the stream when it is interrupted", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      for (const steps of [
        [500, "a"],
        ["a", 500, "done"]
      ]) {
        const fiber = yield* Effect.forkChild(run(scripted("s", steps, log), []))
        yield* TestClock.adjust(100)
        assert.deepStrictEqual(log.splice(0), ["open s"])
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(log.splice(0), ["close s"])
      }
    })
  )

  it.effect("fails with the failure of its reader, and releases the stream first", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const afterwards = yield* makePendingRuns(yield* Effect.scope)
      const log: Array<string> = []
      for (const taken of [Effect.fail(broken), Effect.delay(Effect.fail(broken), 10)]) {
        const fiber = yield* Effect.forkChild(
          Effect.flip(
            runStream(fromStream(scripted("s", ["a", "b", "done"], log)), () => taken, {
              afterwards,
              clock,
              isTerminal: isDone,
              settings
            })
          )
        )
        yield* TestClock.adjust(10)
        assert.strictEqual(yield* Fiber.join(fiber), broken)
        assert.deepStrictEqual(log.splice(0), ["open s", "close s"])
      }
    })
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
      const events: Array<string> = []
      const { attempts } = yield* runScriptedAttempts({
        candidates: [makePricedCandidate("one", 1), makePricedCandidate("two", 2)],
        run: ({ endpoint: { tag } }, _, commit) =>
          Effect.as(
            run(scripted(tag, scripts.get(tag)!, log), events, { onFirst: Effect.sync(commit) }),
            {
              value: undefined
            }
          ),
        observer: {
          onAttempt: ({ abortReason, candidate, failure }) => {
            log.push(`${failure?.kind ?? abortReason ?? "served"} ${candidate.endpoint.tag}`)
          }
        },
        deadlineAt: totalMillis
      })
      return {
        attempts: attempts.length,
        failure: attempts.at(-1)?.failure,
        events
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
          events: ["x", "done"],
          failure: undefined,
          log: ["open one", "close one", `${kind} one`, "open two", "close two", "served two"]
        })
      })
  )

  it.effect("does not fall back from a stream that is a refusal", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* route([20, refusal], ["x", "done"]), {
        attempts: 1,
        events: [],
        failure: refusal,
        log: ["open one", "close one", "content_refused one"]
      })
    })
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
      const { attempts, events, failure, log } = yield* route(steps, ["x", "done"])
      assert.strictEqual(attempts, 1)
      assert.deepStrictEqual(events, ["a"])
      assert.strictEqual(failure?.kind, kind)
      assert.deepStrictEqual(log, ["open one", "close one", `${kind} one`])
    })
  )

  it.effect.each([
    ["before its first event", [500, "a", "done"], ["open one", "close one", "interrupted one"]],
    ["after it", ["a", 250, "b", 250, "done"], ["open one", "close one", "interrupted one"]]
  ] as const)("closes a stream whose caller disconnects %s, without a fallback", ([, steps, log]) =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const fiber = yield* Effect.forkChild(routing(steps, ["x", "done"], seen))
      yield* TestClock.adjust(100)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual<ReadonlyArray<string>>(seen, log)
      yield* TestClock.adjust(100_000)
      assert.deepStrictEqual<ReadonlyArray<string>>(seen, log)
    })
  )

  it.effect("does not limit a committed stream by the timeout of a request", () =>
    Effect.gen(function* () {
      const steps = ["a", 200, "b", 200, "c", 200, "done"]
      const { events, failure } = yield* route(steps, [], 300)
      assert.deepStrictEqual(events, ["a", "b", "c", "done"])
      assert.isUndefined(failure)
    })
  )

  it.effect("closes the connection when the total deadline passes before the first event", () =>
    Effect.gen(function* () {
      const { attempts, events, log } = yield* route([500, "a"], [500, "a"], 300)
      assert.deepStrictEqual(events, [])
      assert.strictEqual(attempts, 2)
      assert.deepStrictEqual(log, [
        "open one",
        "close one",
        "timeout one",
        "open two",
        "close two",
        "timeout two"
      ])
    })
  )
})
