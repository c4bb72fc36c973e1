import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Settings from "../../../../src/instance/Settings.ts"
import { ThisProcess } from "../../../../src/instance/ThisProcess.ts"
import { RateLimitsUnavailable } from "../../../../src/tenants/auth/AuthErrors.ts"
import { type FailureMode, RateLimits } from "../../../../src/tenants/auth/rateLimits/RateLimits.ts"
import { RateLimitStore } from "../../../../src/tenants/auth/rateLimits/RateLimitStore.ts"
import { findStoreUnavailable } from "../../../../src/values/errors/StoreUnavailable.ts"

const away = () => Effect.fail(new RateLimitsUnavailable({ problem: "away" }))

/** Limits whose store is away, in one of `processes`. */
const makeLayer = (rateLimitFailureMode: FailureMode, processes = 1) => {
  const store = Layer.succeed(RateLimitStore, {
    take: away,
    readWindow: away,
    takeTokens: away,
    addTokens: away,
    takeSlot: away,
    renewSlot: away,
    releaseSlot: away
  })
  const self = Layer.succeed(ThisProcess, { id: "one", startedAt: 0, fleetSize: processes })
  return RateLimits.layer.pipe(
    Layer.provide([store, self, Settings.layer({ rateLimitFailureMode })])
  )
}

const limit = { requests: 9, windowMillis: 60_000 }

/** How many of 20 calls, tokens and parallel requests of a limit of nine are admitted. */
const admit = Effect.gen(function* () {
  const limits = yield* RateLimits
  let calls = 0
  let tokens = 0
  let slots = 0
  for (let at = 0; at < 20; at++) {
    if ((yield* limits.take("calls", limit)) === 0) calls += 1
    if ((yield* limits.takeTokens("tokens", { tokens: 9, windowMillis: 60_000 }, 1)) === 0) {
      tokens += 1
    }
    if (yield* limits.takeSlot("slots", `slot ${at}`, 9, 60_000)) slots += 1
  }
  return [calls, tokens, slots]
})

describe("RateLimits", () => {
  it.effect.each([
    ["local", 4, 8],
    ["divide", 4, 1],
    ["open", 4, 9],
    ["closed", 4, 0]
  ] as const)(
    "without its store, %s in one of %i processes says that %i of nine calls are left after one",
    ([mode, processes, left]) =>
      Effect.gen(function* () {
        const limits = yield* RateLimits
        yield* Effect.exit(limits.take("calls", limit))
        assert.strictEqual((yield* limits.readWindow("calls", limit)).left, left)
      }).pipe(Effect.provide(makeLayer(mode, processes)))
  )

  it.effect.each([
    ["local", 4, [9, 9, 9]],
    ["divide", 1, [9, 9, 9]],
    ["divide", 4, [2, 2, 2]],
    ["divide", 20, [1, 1, 1]],
    ["open", 4, [20, 20, 20]]
  ] as const)(
    "without its store, %s in one of %i processes admits of nine",
    ([mode, processes, admitted]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* admit, [...admitted])
      }).pipe(Effect.provide(makeLayer(mode, processes)))
  )

  it.effect("without its store, closed refuses as without any storage, and lets requests end", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const attempts: ReadonlyArray<Effect.Effect<unknown>> = [
        limits.take("calls", limit),
        limits.takeTokens("tokens", { tokens: 9, windowMillis: 60_000 }, 1),
        limits.takeSlot("slots", "slot", 9, 60_000)
      ]
      for (const attempt of attempts) {
        const exit = yield* Effect.exit(attempt)
        assert.isTrue(Exit.isFailure(exit) && findStoreUnavailable(exit.cause) !== undefined)
      }
      yield* limits.addTokens("tokens", { tokens: 9, windowMillis: 60_000 }, 1)
      yield* limits.renewSlot("slots", "slot", 60_000)
      yield* limits.releaseSlot("slots", "slot")
    }).pipe(Effect.provide(makeLayer("closed")))
  )
})
