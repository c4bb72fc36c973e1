/** An attempt that is much later than usual counts as a failure in plans, until it answers or ends. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Health } from "../../../../src/engine/health/Health.ts"
import { UpstreamFailure } from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "../../../../src/engine/upstreams/transport/sendOnce.ts"
import type { Requirements } from "../../../../src/routing/Requirements.ts"
import type { AttemptSuccess } from "../../../../src/routing/RouteWork.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"
import { makeScriptedEngine, runRequest } from "../runScriptedAttempts.ts"

const a = makePricedCandidate("a", 1)
const streamed = { kind: "stream", isDefault: true }

type Answer = (commit: () => boolean) => Effect.Effect<AttemptSuccess<string>, UpstreamFailure>

const serveAfter =
  (millis: number): Answer =>
  (commit) =>
    Effect.sleep(millis).pipe(Effect.andThen(Effect.sync(commit)), Effect.as({ value: "answer" }))

/** One endpoint, whose requests are answered as they ask for. */
const startEndpoint = Effect.gen(function* () {
  const health = Context.get(yield* Layer.build(Health.layer), Health)
  const engine = yield* makeScriptedEngine({ health, reserve: undefined })
  const getReport = () => health.snapshot([a.id]).endpoints[a.id]
  const ask = (answer: Answer, requirements: Partial<Requirements> = {}, timeoutMillis = 600_000) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.forkChild(
        runRequest<string, never>(engine, {
          candidates: [a],
          deadlineAt: now + timeoutMillis,
          hedging: streamed,
          requirements,
          run: (_, __, commit) => answer(commit)
        }),
        { startImmediately: true }
      )
    )
  const warmUp = Effect.fnUntraced(function* (
    count: number,
    millis = 200,
    requirements: Partial<Requirements> = {}
  ) {
    for (let asked = 0; asked < count; asked++) {
      const fiber = yield* ask(serveAfter(millis), requirements)
      yield* TestClock.adjust(millis)
      yield* Fiber.join(fiber)
    }
  })
  return { ask, getReport, warmUp }
})

/** Successes of the last half minute would outweigh one failure. */
const forgetSuccesses = TestClock.adjust(31_000)

describe("an attempt that is much later than usual", () => {
  it.effect("counts as a failure until it answers", () =>
    Effect.gen(function* () {
      const { ask, getReport, warmUp } = yield* startEndpoint
      yield* warmUp(20)
      yield* forgetSuccesses
      const fiber = yield* ask(serveAfter(5_000))
      yield* TestClock.adjust(999)
      assert.deepStrictEqual([getReport()?.suspected, getReport()?.outage], [undefined, undefined])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        [getReport()?.suspected, getReport()?.outage],
        [1, { failures: 1, of: 1, suspected: 1 }]
      )
      yield* TestClock.adjust(4_000)
      yield* Fiber.join(fiber)
      const { errors, outage, suspected } = getReport()!
      assert.deepStrictEqual([suspected, outage, errors], [undefined, undefined, {}])
    })
  )

  it.effect("that then fails counts once", () =>
    Effect.gen(function* () {
      const { ask, getReport, warmUp } = yield* startEndpoint
      yield* warmUp(20)
      yield* forgetSuccesses
      const fiber = yield* ask(() =>
        Effect.delay(Effect.fail(new UpstreamFailure({ kind: "timeout" })), 3_000)
      )
      yield* TestClock.adjust(2_000)
      assert.deepStrictEqual(getReport()?.outage, { failures: 1, of: 1, suspected: 1 })
      yield* TestClock.adjust(1_000)
      yield* Fiber.join(fiber)
      const { errors, outage, suspected } = getReport()!
      assert.deepStrictEqual(
        [suspected, outage, errors],
        [undefined, { failures: 1, of: 1 }, { timeout: 1 }]
      )
    })
  )

  it.effect("is no longer suspected when its caller leaves, or its time is over", () =>
    Effect.gen(function* () {
      const { ask, getReport, warmUp } = yield* startEndpoint
      yield* warmUp(20)
      const left = yield* ask(() => Effect.never)
      yield* ask(() => Effect.never, {}, 4_000)
      yield* TestClock.adjust(2_000)
      assert.strictEqual(getReport()?.suspected, 2)
      yield* Fiber.interrupt(left)
      assert.strictEqual(getReport()?.suspected, 1)
      yield* TestClock.adjust(2_000)
      // A time that the caller cut short says nothing about the endpoint.
      const { errors, suspected } = getReport()!
      assert.deepStrictEqual([suspected, errors], [undefined, {}])
    })
  )

  it.effect("is measured by its own endpoint, and not by few answers", () =>
    Effect.gen(function* () {
      const { ask, getReport, warmUp } = yield* startEndpoint
      yield* warmUp(19)
      const early = yield* ask(() => Effect.never)
      yield* TestClock.adjust(60_000)
      assert.isUndefined(getReport()?.suspected)
      yield* Fiber.interrupt(early)
      // Slow by nature: twice its p99 of about 3,000 ms.
      yield* warmUp(20, 3_000)
      yield* ask(() => Effect.never)
      yield* TestClock.adjust(5_500)
      assert.isUndefined(getReport()?.suspected)
      yield* TestClock.adjust(1_000)
      assert.strictEqual(getReport()?.suspected, 1)
    })
  )

  it.effect("may take longer for a long prompt, and for reasoning it is measured apart", () =>
    Effect.gen(function* () {
      const { ask, getReport, warmUp } = yield* startEndpoint
      yield* warmUp(20)
      const reasoning = { parameters: ["reasoning_effort"] }
      yield* ask(() => Effect.never, reasoning)
      yield* ask(() => Effect.never, { inputTokens: 100_000 })
      yield* TestClock.adjust(23_900)
      assert.isUndefined(getReport()?.suspected)
      yield* TestClock.adjust(100)
      assert.strictEqual(getReport()?.suspected, 1)
      yield* warmUp(20, 200, reasoning)
      yield* ask(() => Effect.never, reasoning)
      yield* TestClock.adjust(1_000)
      assert.strictEqual(getReport()?.suspected, 2)
    })
  )

  it.effect("is not late while it waits for a connection of this process", () =>
    Effect.gen(function* () {
      const { ask, getReport, warmUp } = yield* startEndpoint
      yield* warmUp(20)
      yield* ask(() =>
        Effect.flatMap(CurrentConnectionWait, (wait) => {
          wait?.onQueued()
          return Effect.onExit(Effect.sleep(4_000), () => Effect.sync(() => wait?.onDequeued()))
        }).pipe(Effect.andThen(Effect.never))
      )
      yield* TestClock.adjust(4_900)
      assert.isUndefined(getReport()?.suspected)
      yield* TestClock.adjust(100)
      assert.strictEqual(getReport()?.suspected, 1)
    })
  )
})
