import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { type Caller, hostCaller } from "../../../../src/tenants/auth/Caller.ts"
import { RateLimitsUnavailable } from "../../../../src/tenants/auth/AuthErrors.ts"
import { ThisProcess } from "../../../../src/instance/ThisProcess.ts"
import { RateLimits } from "../../../../src/tenants/auth/rateLimits/RateLimits.ts"
import { RateLimitStore } from "../../../../src/tenants/auth/rateLimits/RateLimitStore.ts"
import { RequestLimiter } from "../../../../src/tenants/auth/rateLimits/RequestLimiter.ts"
import { KeyHash, UserId } from "../../../../src/values/ids/Ids.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { memoryRateLimitStore } from "../../../../src/memory/memoryRateLimitStore.ts"

const caller = (digit: string): Caller => ({
  ...hostCaller,
  kind: "member",
  keyHash: KeyHash.make(digit.repeat(64))
})
const [ada, bob] = [caller("a"), caller("b")]
const user = (name: string): Caller => ({ ...hostCaller, kind: "member", user: UserId.make(name) })

const limiter = (
  rateLimit: Settings.SettingsShape["rateLimit"],
  store: Layer.Layer<RateLimitStore> = memoryRateLimitStore
) =>
  RequestLimiter.layer.pipe(
    Layer.provide(Layer.provide(RateLimits.layer, store)),
    Layer.provide([ThisProcess.layer, Settings.layer({ rateLimit })])
  )

const take = (caller: Caller) => Effect.flatMap(RequestLimiter, ({ take }) => take(caller))

/** The number of accepted requests out of nine. */
const countTaken = (caller: Caller) =>
  Effect.map(
    Effect.all(Array.from({ length: 9 }, () => Effect.result(take(caller)))),
    (results) => results.filter(Result.isSuccess).length
  )

const makeOwnLimit = (requests: number, windowMillis: number) => ({
  ownRateLimit: { requests, windowMillis }
})

describe("RequestLimiter", () => {
  it.effect("accepts the configured number of requests per window, and says when to retry", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      yield* take(ada)
      yield* TestClock.adjust(2_000)
      yield* take(ada)
      yield* take(ada)
      const error = yield* Effect.flip(take(ada))
      assert.strictEqual(error.limit, 3)
      const now = yield* Clock.currentTimeMillis
      assert.strictEqual(error.resetAt, now + error.retryAfterMillis)
      assert.isTrue(error.retryAfterMillis > 0 && error.retryAfterMillis <= 10_000)
      yield* TestClock.adjust(error.retryAfterMillis)
      yield* take(ada)
    }).pipe(Effect.provide(limiter({ requests: 3, windowMillis: 10_000 })))
  )

  it.effect("counts each key separately, and does not limit the application", () =>
    Effect.gen(function* () {
      yield* take(ada)
      assert.isTrue(Result.isFailure(yield* Effect.result(take(ada))))
      yield* take(bob)
      for (let i = 0; i < 10; i++) yield* take(hostCaller)
    }).pipe(Effect.provide(limiter({ requests: 1, windowMillis: 1_000 })))
  )

  it.effect("counts each user of a host separately", () =>
    Effect.gen(function* () {
      yield* take(user("ada"))
      assert.isTrue(Result.isFailure(yield* Effect.result(take(user("ada")))))
      yield* take(user("bob"))
    }).pipe(Effect.provide(limiter({ requests: 1, windowMillis: 1_000 })))
  )

  it.effect("applies the host's limit for a key, with or without a common limit", () =>
    Effect.gen(function* () {
      const own: Caller = { ...ada, rateLimit: { requests: 2, windowMillis: 60_000 } }
      yield* take(own)
      yield* take(own)
      const error = yield* Effect.flip(take(own))
      assert.strictEqual(error.limit, 2)
      assert.strictEqual(error.retryAfterMillis, 60_000)
      yield* take({ ...own, rateLimit: { requests: 3, windowMillis: 60_000 } })
      yield* take({ ...own, rateLimit: { requests: 1, windowMillis: 1_000 } })
    }).pipe((test) =>
      Effect.andThen(
        Effect.provide(test, limiter(undefined), { local: true }),
        Effect.provide(test, limiter({ requests: 1, windowMillis: 1_000 }), { local: true })
      )
    )
  )

  it.effect("lets key management tighten the host's limit, but not loosen it", () =>
    Effect.gen(function* () {
      const given = { rateLimit: { requests: 6, windowMillis: 1_000 } }
      assert.strictEqual(
        yield* countTaken({ ...ada, ...makeOwnLimit(1e9, 1) }),
        4,
        "in another window"
      )
      assert.strictEqual(
        yield* countTaken({ ...bob, ...makeOwnLimit(1e9, 10_000) }),
        4,
        "in the same window"
      )
      assert.strictEqual(yield* countTaken({ ...caller("c"), ...makeOwnLimit(2, 60_000) }), 2)
      assert.strictEqual(yield* countTaken({ ...caller("d"), ...makeOwnLimit(3, 10_000) }), 3)
      assert.strictEqual(
        yield* countTaken({ ...caller("e"), ...given, ...makeOwnLimit(1e9, 1) }),
        6
      )
      assert.strictEqual(
        yield* countTaken({ ...caller("f"), ...given, ...makeOwnLimit(5, 60_000) }),
        5
      )
    }).pipe(Effect.provide(limiter({ requests: 4, windowMillis: 10_000 })))
  )

  it.effect("grants a contested window to exactly as many as it has room for", () =>
    Effect.gen(function* () {
      const taken = yield* Effect.all(
        Array.from({ length: 20 }, () => Effect.result(take(ada))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(taken.filter(Result.isSuccess), 7)
    }).pipe(Effect.provide(limiter({ requests: 7, windowMillis: 1_000 })))
  )

  it.effect("limits no caller without a configured limit", () =>
    Effect.gen(function* () {
      for (let i = 0; i < 100; i++) yield* take(ada)
    }).pipe(Effect.provide(limiter(undefined)))
  )

  it.effect("counts in memory while the store fails, and logs that once", () => {
    const said: Array<unknown> = []
    const listening = Logger.layer([
      Logger.make(({ logLevel, message }) => said.push([logLevel, message]))
    ])
    let isGone = true
    const store = Layer.mock(RateLimitStore, {
      take: () =>
        isGone ? Effect.fail(new RateLimitsUnavailable({ problem: "gone" })) : Effect.succeed(0)
    })
    return Effect.gen(function* () {
      yield* take(ada)
      yield* take(bob)
      assert.strictEqual((yield* Effect.flip(take(ada))).retryAfterMillis, 1_000)
      isGone = false
      for (let i = 0; i < 3; i++) yield* take(ada)
      isGone = true
      assert.strictEqual((yield* Effect.flip(take(bob))).limit, 1)
      const away = [
        "Warn",
        ["rate limits are counted in this process alone until their store answers again", "gone"]
      ]
      const back = ["Info", ["rate limits are counted by their store again"]]
      assert.deepStrictEqual(said, [away, back, away])
    }).pipe(Effect.provide([limiter({ requests: 1, windowMillis: 1_000 }, store), listening]))
  })
})
