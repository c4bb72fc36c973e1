/** Endpoints with `maxParallelRequests`, and the queue in front of them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/testing/TestClock"
import { makeLocalLimits } from "../../../src/tenants/auth/rateLimits/makeLocalLimits.ts"
import { RateLimitStore } from "../../../src/tenants/auth/rateLimits/RateLimitStore.ts"
import { type Caller, hostCaller } from "../../../src/tenants/auth/Caller.ts"
import type { AttemptEngine } from "../../../src/routing/attempt/AttemptEngine.ts"
import { waitingRequests } from "../../../src/routing/attempt/concurrency/makeEndpointLimits.ts"
import {
  type RequestQueueOptions,
  resolveRequestQueue
} from "../../../src/routing/attempt/concurrency/RequestQueue.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { AccountId } from "../../../src/values/ids/Ids.ts"
import * as Clock from "effect/Clock"
import { makeCandidate } from "../makeCandidate.ts"
import { makeScriptedEngine, runRequest } from "./runScriptedAttempts.ts"

const limited = makeCandidate({ provider: "limited", maxParallelRequests: 2 })
const single = makeCandidate({ provider: "single", maxParallelRequests: 1 })
const open = makeCandidate({ provider: "open" })

const of = (account: string): Caller => ({ ...hostCaller, account: AccountId.make(account) })

interface Request {
  readonly name: string
  readonly account?: string
  readonly candidates?: ReadonlyArray<typeof limited>
  readonly tier?: "flex" | "priority"
  readonly millis?: number
  readonly deadlineAt?: number
  readonly failsAt?: string
  readonly onQueue?: (millis: number) => void
}

/** Requests that note where and in which order they were served. */
const makeScenario = (engine: AttemptEngine["Service"]) => {
  const served: Array<string> = []
  const passedOver: Array<string> = []
  let running = 0
  let most = 0
  const start = ({
    account = "acme",
    candidates = [limited],
    deadlineAt = 60_000,
    failsAt,
    millis = 100,
    name,
    onQueue,
    tier
  }: Request) =>
    Effect.forkChild(
      runRequest(engine, {
        candidates,
        caller: of(account),
        deadlineAt,
        ...(tier === undefined ? undefined : { tier }),
        observer: {
          ...(onQueue === undefined ? undefined : { onQueue }),
          onSkip: ({ endpoint }, { _tag }) => void passedOver.push(`${endpoint.tag} ${_tag}`)
        },
        run: ({ endpoint: { tag } }) => {
          if (tag === failsAt) return Effect.fail(new UpstreamFailure({ kind: "server_error" }))
          served.push(`${name}@${tag}`)
          running += 1
          most = Math.max(most, running)
          return Effect.sleep(millis).pipe(
            Effect.as({ value: name }),
            Effect.ensuring(Effect.sync(() => void (running -= 1)))
          )
        }
      }),
      { startImmediately: true }
    )
  return { start, served, passedOver, getMost: () => most, getRunning: () => running }
}

const begin = (requestQueue?: RequestQueueOptions, rateLimits?: Layer.Layer<RateLimitStore>) =>
  Effect.map(
    makeScriptedEngine({
      reserve: undefined,
      ...(requestQueue === undefined ? undefined : { requestQueue }),
      ...(rateLimits === undefined ? undefined : { rateLimits })
    }),
    makeScenario
  )

const countWaiting = Effect.map(Metric.value(waitingRequests), ({ value }) => value)

describe("an endpoint with maxParallelRequests", () => {
  it.effect("is passed over for one that has room, and the observer is told why", () =>
    Effect.gen(function* () {
      const { getMost, passedOver, served, start } = yield* begin()
      for (const name of ["a", "b", "c"]) yield* start({ name, candidates: [limited, open] })
      assert.deepStrictEqual(served, ["a@limited", "b@limited", "c@open"])
      assert.deepStrictEqual(passedOver, ["limited EndpointBusy"])
      yield* TestClock.adjust(100)
      yield* start({ name: "d", candidates: [limited, open] })
      assert.strictEqual(served.at(-1), "d@limited")
      assert.strictEqual(getMost(), 3)
    })
  )

  it.effect("fails requests at once where there is no queue", () =>
    Effect.gen(function* () {
      const { start } = yield* begin()
      yield* start({ name: "a" })
      yield* start({ name: "b" })
      const { attempts, reservationError } = yield* Fiber.join(yield* start({ name: "c" }))
      assert.deepStrictEqual(attempts, [])
      assert.strictEqual(reservationError?._tag, "EndpointBusy")
    })
  )

  it.effect("has its room back after a failure and after an abort", () =>
    Effect.gen(function* () {
      const { getRunning, served, start } = yield* begin()
      yield* Fiber.join(yield* start({ name: "failing", failsAt: "single", candidates: [single] }))
      const aborted = yield* start({ name: "aborted", candidates: [single] })
      yield* Fiber.interrupt(aborted)
      assert.strictEqual(getRunning(), 0)
      yield* start({ name: "next", candidates: [single] })
      assert.deepStrictEqual(served, ["aborted@single", "next@single"])
    })
  )
})

describe("the request queue", () => {
  it.effect("tells how long a request waited, be it served, late or aborted, and no other", () =>
    Effect.gen(function* () {
      const { start } = yield* begin({ maxWaitMillis: 250 })
      const waits: Array<readonly [string, number]> = []
      const startOne = (name: string, request: Partial<Request> = {}) =>
        start({
          name,
          candidates: [single],
          onQueue: (millis) => void waits.push([name, millis]),
          ...request
        })
      yield* startOne("first", { millis: 300 })
      yield* startOne("late")
      yield* TestClock.adjust(70)
      const aborted = yield* startOne("aborted")
      yield* TestClock.adjust(30)
      yield* Fiber.interrupt(aborted)
      yield* startOne("served")
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(waits, [
        ["aborted", 30],
        ["late", 250],
        ["served", 200]
      ])
    })
  )

  it.effect("serves those that wait in their order, and never more at once", () =>
    Effect.gen(function* () {
      const { getMost, served, start } = yield* begin({})
      const fibers = []
      for (const name of ["a", "b", "c", "d", "e"]) fibers.push(yield* start({ name }))
      assert.strictEqual(yield* countWaiting, 3)
      yield* TestClock.adjust(300)
      const results = yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(
        results.map((each) => each.served?.value),
        ["a", "b", "c", "d", "e"]
      )
      assert.deepStrictEqual(
        served.map((each) => each[0]),
        ["a", "b", "c", "d", "e"]
      )
      assert.strictEqual(getMost(), 2)
      assert.strictEqual(yield* countWaiting, 0)
    })
  )

  it.effect("serves a waiting request at the first endpoint that has room", () =>
    Effect.gen(function* () {
      const { served, start } = yield* begin({})
      yield* start({ name: "long", candidates: [single], millis: 1_000 })
      yield* start({ name: "short", candidates: [limited], millis: 100 })
      yield* start({ name: "long too", candidates: [limited], millis: 1_000 })
      yield* start({ name: "waiting", candidates: [single, limited] })
      yield* TestClock.adjust(100)
      assert.strictEqual(served.at(-1), "waiting@limited")
    })
  )

  it.effect("tries the others that a request waited for when the first one fails", () =>
    Effect.gen(function* () {
      const { served, start } = yield* begin({})
      yield* start({ name: "one", candidates: [single], millis: 200 })
      yield* start({ name: "two", candidates: [limited], millis: 100 })
      yield* start({ name: "three", candidates: [limited], millis: 300 })
      const fiber = yield* start({
        name: "waiting",
        candidates: [single, limited],
        failsAt: "limited"
      })
      yield* TestClock.adjust(400)
      const result = yield* Fiber.join(fiber)
      assert.strictEqual(served.at(-1), "waiting@single")
      assert.deepStrictEqual(
        result.attempts.map(({ candidate, failure }) => [candidate.endpoint.tag, failure?.kind]),
        [
          ["limited", "server_error"],
          ["single", undefined]
        ]
      )
    })
  )

  it.effect("gives no account more than its share while others wait", () =>
    Effect.gen(function* () {
      const { served, start } = yield* begin({ maxWaitMillis: 60_000 })
      for (let at = 0; at < 10; at++) yield* start({ name: `busy${at}`, account: "busy" })
      for (let at = 0; at < 3; at++) yield* start({ name: `calm${at}`, account: "calm" })
      yield* TestClock.adjust(300)
      // From the first release on, each account has one of the two slots.
      assert.deepStrictEqual(
        served.slice(0, 8).map((each) => each.slice(0, 5)),
        ["busy0", "busy1", "calm0", "busy2", "calm1", "busy3", "calm2", "busy4"]
      )
      yield* TestClock.adjust(1_000)
      assert.lengthOf(served, 13)
    })
  )

  it.effect("serves a higher service tier first, and flex last", () =>
    Effect.gen(function* () {
      const { served, start } = yield* begin({})
      yield* start({ name: "first", candidates: [single] })
      yield* start({ name: "flex", candidates: [single], tier: "flex" })
      yield* start({ name: "usual", candidates: [single] })
      yield* start({ name: "priority", candidates: [single], tier: "priority" })
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(
        served.map((each) => each.split("@")[0]),
        ["first", "priority", "usual", "flex"]
      )
    })
  )

  it.effect("asks the host for priorities, and treats no number as 0", () =>
    Effect.gen(function* () {
      const priorities: Readonly<Record<string, number>> = { gold: -1, odd: Number.NaN, bulk: 5 }
      const { served, start } = yield* begin({
        priority: ({ account }) => priorities[account] ?? 0
      })
      for (const account of ["first", "bulk", "odd", "gold"]) {
        yield* start({ name: account, account, candidates: [single] })
      }
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(
        served.map((each) => each.split("@")[0]),
        ["first", "gold", "odd", "bulk"]
      )
    })
  )

  it.effect("refuses those that find it full, and those that waited too long", () =>
    Effect.gen(function* () {
      const { served, start } = yield* begin({ maxLength: 1, maxWaitMillis: 50 })
      yield* start({ name: "running", candidates: [single], millis: 1_000 })
      const waiting = yield* start({ name: "waiting", candidates: [single] })
      const full = yield* Fiber.join(yield* start({ name: "third", candidates: [single] }))
      assert.deepInclude(full.reservationError, { _tag: "EndpointBusy", queue: "full" })
      yield* TestClock.adjust(49)
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust(1)
      const late = yield* Fiber.join(waiting)
      assert.deepInclude(late.reservationError, { _tag: "EndpointBusy", queue: "timeout" })
      assert.strictEqual(yield* countWaiting, 0)
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(served, ["running@single"])
    })
  )

  it.effect("lets nobody wait beyond the deadline of the request", () =>
    Effect.gen(function* () {
      const { start } = yield* begin({})
      yield* start({ name: "running", candidates: [single], millis: 5_000 })
      const waiting = yield* start({ name: "waiting", candidates: [single], deadlineAt: 1_000 })
      yield* TestClock.adjust(1_000)
      const { served } = yield* Fiber.join(waiting)
      assert.isUndefined(served)
      assert.strictEqual(yield* Clock.currentTimeMillis, 1_000)
    })
  )

  it.effect("is left by an aborted request, also by one that has just been granted its place", () =>
    Effect.gen(function* () {
      const { served, start } = yield* begin({})
      yield* start({ name: "running", candidates: [single], millis: 100 })
      const [second, third] = [
        yield* start({ name: "second", candidates: [single] }),
        yield* start({ name: "third", candidates: [single] })
      ]
      yield* start({ name: "fourth", candidates: [single] })
      yield* Fiber.interrupt(second)
      assert.strictEqual(yield* countWaiting, 2)
      const aborting = yield* Effect.forkChild(
        Effect.andThen(Effect.sleep(100), Fiber.interrupt(third)),
        { startImmediately: true }
      )
      yield* TestClock.adjust(100)
      yield* Fiber.join(aborting)
      yield* TestClock.adjust(1_000)
      assert.strictEqual(served.at(-1), "fourth@single")
      assert.notInclude(served, "second@single")
      assert.strictEqual(yield* countWaiting, 0)
      yield* start({ name: "later", candidates: [single] })
      assert.strictEqual(served.at(-1), "later@single")
    })
  )

  it.effect("serves those that wait when another process gives its slots back", () =>
    Effect.gen(function* () {
      // Two engines on one store stand for two processes.
      const shared = Layer.succeed(RateLimitStore, makeLocalLimits(yield* Clock.Clock))
      const one = yield* begin({}, shared)
      const two = yield* begin({}, shared)
      yield* one.start({ name: "there", candidates: [single], millis: 1_000 })
      const waiting = yield* two.start({ name: "here", candidates: [single] })
      yield* TestClock.adjust(999)
      assert.deepStrictEqual(two.served, [])
      yield* TestClock.adjust(600)
      assert.strictEqual((yield* Fiber.join(waiting)).served?.value, "here")
    })
  )

  it("refuses options that make no sense", () => {
    assert.throws(() => resolveRequestQueue({ maxLength: 0 }), /requestQueue\.maxLength/)
    assert.throws(() => resolveRequestQueue({ maxWaitMillis: 1.5 }), /requestQueue\.maxWaitMillis/)
  })
})
