import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import { runStream } from "../../../src/routing/attempt/runStream.ts"
import type { AttemptSuccess } from "../../../src/routing/RouteWork.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "../../../src/engine/upstreams/transport/sendOnce.ts"
import { makePricedCandidate } from "../makeCandidate.ts"
import { runScriptedAttempts } from "./runScriptedAttempts.ts"
import { makePendingRuns } from "../../../src/values/PendingRuns.ts"

const [a, b] = [makePricedCandidate("a", 1), makePricedCandidate("b", 2)]

/** A request that waits this long for its connection. */
const waitInQueue = (millis: number) =>
  Effect.flatMap(CurrentConnectionWait, (wait) => {
    wait?.onQueued()
    return Effect.onExit(Effect.sleep(millis), () => Effect.sync(() => wait?.onDequeued()))
  })

const run = (
  outcomes: Readonly<
    Record<
      string,
      (commit: () => boolean) => Effect.Effect<AttemptSuccess<string>, UpstreamFailure>
    >
  >,
  recorded: Array<Outcome> = []
) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(
      runScriptedAttempts({
        candidates: [a, b],
        run: ({ endpoint: { tag } }, _, commit) =>
          outcomes[tag]?.(commit) ?? Effect.die(`${tag} must not be tried`),
        health: { record: (outcome) => void recorded.push(outcome) },
        deadlineAt: 1_000
      })
    )
    yield* TestClock.adjust(1_000)
    return yield* Fiber.join(fiber)
  })

const value = { value: "answer" }

it.effect("a wait for a connection is no part of the latency", () =>
  Effect.gen(function* () {
    const recorded: Array<Outcome> = []
    const { attempts } = yield* run(
      { a: () => waitInQueue(300).pipe(Effect.andThen(Effect.sleep(50)), Effect.as(value)) },
      recorded
    )
    const [attempted] = attempts
    assert.strictEqual(attempted?.startedAt, 300)
    assert.strictEqual(attempted?.latencyMillis, 50)
    assert.strictEqual(attempted?.queuedMillis, 300)
    assert.deepStrictEqual(
      recorded.map(({ at, latencyMillis, startedAt }) => [startedAt, at, latencyMillis]),
      [[300, 350, 50]]
    )
  })
)

it.effect("a wait for a connection is no part of the time to the first event", () =>
  Effect.gen(function* () {
    const recorded: Array<Outcome> = []
    const { attempts } = yield* run(
      {
        a: (commit) =>
          waitInQueue(300).pipe(
            Effect.andThen(Effect.delay(Effect.sync(commit), 50)),
            Effect.andThen(Effect.sleep(100)),
            Effect.as(value)
          )
      },
      recorded
    )
    assert.strictEqual(attempts[0]?.firstEventMillis, 50)
    assert.strictEqual(attempts[0]?.latencyMillis, 150)
    assert.deepStrictEqual(
      recorded.map(({ latencyMillis, result, totalMillis }) => [
        result,
        latencyMillis,
        totalMillis
      ]),
      [
        ["first_event", 50, undefined],
        ["success", undefined, 150]
      ]
    )
  })
)

it.effect("requests that wait side by side count once", () =>
  Effect.gen(function* () {
    const { attempts } = yield* run({
      a: () =>
        Effect.all([waitInQueue(100), waitInQueue(200), waitInQueue(300)], {
          concurrency: "unbounded"
        }).pipe(Effect.andThen(waitInQueue(50)), Effect.as(value))
    })
    assert.strictEqual(attempts[0]?.queuedMillis, 350)
    assert.strictEqual(attempts[0]?.latencyMillis, 0)
  })
)

it.effect("a wait for a connection takes no time from the provider that it waits for", () =>
  Effect.gen(function* () {
    const { attempts, served } = yield* run({
      a: () => Effect.andThen(waitInQueue(200), Effect.never),
      b: () => Effect.delay(Effect.succeed(value), 299)
    })
    assert.deepStrictEqual(
      attempts.map(({ failure, latencyMillis, queuedMillis }) => [
        failure?.phase,
        latencyMillis,
        queuedMillis
      ]),
      [
        ["attempt", 500, 200],
        [undefined, 299, undefined]
      ]
    )
    assert.strictEqual(served?.value, "answer")
  })
)

it.effect(
  "a request that waits until all time has passed is cut off, and says nothing about the endpoint",
  () =>
    Effect.gen(function* () {
      const recorded: Array<Outcome> = []
      const { attempts } = yield* run(
        { a: () => Effect.andThen(waitInQueue(5_000), Effect.succeed(value)) },
        recorded
      )
      assert.deepStrictEqual(
        attempts.map(({ failure, latencyMillis, queuedMillis }) => [
          failure?.kind,
          latencyMillis,
          queuedMillis
        ]),
        [["timeout", 0, 1_000]]
      )
      assert.deepStrictEqual(
        recorded.map(({ result }) => result),
        ["ignored"]
      )
    })
)

it.effect("the time to the first event of a stream begins when the request is sent", () =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    let queuedMillis = 0
    const reading = runStream<string, never>({ run: () => Effect.never }, () => Effect.void, {
      clock,
      settings: { firstEventTimeoutMillis: 1_000, streamIdleTimeoutMillis: 1_000 },
      isTerminal: () => false,
      afterwards: yield* makePendingRuns(yield* Effect.scope)
    }).pipe(
      Effect.provideService(CurrentConnectionWait, {
        onQueued: () => {},
        onDequeued: () => {},
        getQueuedMillis: () => queuedMillis
      })
    )
    const fiber = yield* Effect.forkChild(Effect.flip(reading))
    yield* TestClock.adjust(900)
    queuedMillis = 900
    yield* TestClock.adjust(999)
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust(1)
    assert.deepStrictEqual(
      yield* Fiber.join(fiber),
      new UpstreamFailure({ kind: "timeout", phase: "first_event" })
    )
  })
)
