import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { type Caller, hostCaller } from "../../../../src/tenants/auth/Caller.ts"
import { ThisProcess } from "../../../../src/instance/ThisProcess.ts"
import { ParallelSlots } from "../../../../src/tenants/auth/rateLimits/ParallelSlots.ts"
import { RateLimits } from "../../../../src/tenants/auth/rateLimits/RateLimits.ts"
import { RateLimitStore } from "../../../../src/tenants/auth/rateLimits/RateLimitStore.ts"
import { UsageLimiter } from "../../../../src/tenants/auth/rateLimits/UsageLimiter.ts"
import { RateLimitsUnavailable } from "../../../../src/tenants/auth/AuthErrors.ts"
import { AccountId, KeyHash, UserId, WorkspaceId } from "../../../../src/values/ids/Ids.ts"
import * as Settings from "../../../../src/instance/Settings.ts"
import { memoryRateLimitStore } from "../../../../src/memory/memoryRateLimitStore.ts"

const caller = (digit: string, rest: Partial<Caller> = {}): Caller => ({
  ...hostCaller,
  kind: "member",
  keyHash: KeyHash.make(digit.repeat(64)),
  ...rest
})
const user = (name: string): Caller => ({ ...hostCaller, kind: "member", user: UserId.make(name) })
const [ada, bob] = [caller("a"), caller("b")]

const makeLimiter = (
  settings: Partial<Settings.SettingsShape>,
  store: Layer.Layer<RateLimitStore> = memoryRateLimitStore
) =>
  UsageLimiter.layer.pipe(
    Layer.provide(Layer.provideMerge(ParallelSlots.layer, Layer.provide(RateLimits.layer, store))),
    Layer.provide([ThisProcess.layer, Settings.layer(settings)])
  )

const begin = (who: Caller, tokens = 0) => UsageLimiter.use((each) => each.begin(who, tokens))
const refuse = (who: Caller, tokens = 0) => Effect.flip(begin(who, tokens))
const minute = { windowMillis: 60_000 }

describe("UsageLimiter", () => {
  it.effect("limits nobody without a limit, and never the application", () =>
    UsageLimiter.use(({ isLimited }) =>
      Effect.sync(() => {
        assert.isFalse(isLimited(ada))
        assert.isTrue(isLimited({ ...ada, maxParallelRequests: 1 }))
        assert.isTrue(isLimited({ ...ada, ownTokenRateLimit: { tokens: 1, ...minute } }))
        assert.isFalse(isLimited({ ...hostCaller, maxParallelRequests: 1 }))
      })
    ).pipe(Effect.provide(makeLimiter({})))
  )

  it.effect("limits users and customers that the application names in process", () =>
    Effect.gen(function* () {
      const bundle = { name: "one", budgets: [], countsByok: false, maxParallelRequests: 2 }
      const ofCustomer = { ...hostCaller, bundle }
      const forAda = { ...ofCustomer, user: UserId.make("ada") }
      yield* begin(forAda)
      assert.isUndefined((yield* refuse(forAda)).holder)
      yield* begin(ofCustomer)
      const refused = yield* refuse(ofCustomer)
      assert.deepInclude(refused, { counts: "slots", holder: "customer", limit: 2 })
      yield* begin({ ...hostCaller, user: UserId.make("ada"), workspace: WorkspaceId.make("w") })
      yield* Effect.forEach([1, 2, 3], () => begin(hostCaller))
    }).pipe(Effect.provide(makeLimiter({ maxParallelRequests: 1 })))
  )

  it.effect(
    "runs as many requests of a key in parallel as it may, and one more when one ends",
    () =>
      Effect.gen(function* () {
        const first = yield* begin(ada)
        yield* begin(ada)
        const refused = yield* refuse(ada)
        assert.deepInclude(refused, { counts: "slots", limit: 2 })
        assert.isAbove(refused.retryAfterMillis, 0)
        yield* begin(bob)
        yield* first.end(0)
        yield* begin(ada)
        yield* refuse(ada)
      }).pipe(Effect.provide(makeLimiter({ maxParallelRequests: 2 })))
  )

  it.effect("counts the keys of an account together", () =>
    Effect.gen(function* () {
      yield* begin(ada)
      const ofBob = yield* begin(bob)
      assert.deepInclude(yield* refuse(caller("c")), { counts: "slots", holder: "account" })
      yield* begin(caller("d", { account: AccountId.make("other") }))
      yield* ofBob.end(0)
      yield* begin(caller("c"))
    }).pipe(Effect.provide(makeLimiter({ maxParallelRequestsPerAccount: 2 })))
  )

  it.effect("lets key management tighten the limits of the host, but not loosen them", () =>
    Effect.gen(function* () {
      const loose = { ...ada, ownMaxParallelRequests: 5 }
      yield* begin(loose)
      yield* begin(loose)
      assert.strictEqual((yield* refuse(loose)).limit, 2)
      const tight = { ...bob, ownMaxParallelRequests: 1 }
      yield* begin(tight)
      assert.strictEqual((yield* refuse(tight)).limit, 1)
      const given = caller("c", { maxParallelRequests: 3 })
      yield* Effect.forEach([1, 2, 3], () => begin(given))
      assert.strictEqual((yield* refuse(given)).limit, 3)
    }).pipe(Effect.provide(makeLimiter({ maxParallelRequests: 2 })))
  )

  it.effect("counts what a request used in place of what was estimated", () =>
    Effect.gen(function* () {
      const first = yield* begin(ada, 80)
      const refused = yield* refuse(ada, 40)
      assert.deepInclude(refused, { counts: "tokens", limit: 100 })
      assert.strictEqual(refused.retryAfterMillis, 12_000)
      yield* first.end(30)
      yield* begin(ada, 70)
      yield* refuse(ada, 1)
      yield* TestClock.adjust(30_000)
      yield* begin(ada, 50)
    }).pipe(Effect.provide(makeLimiter({ tokenRateLimit: { tokens: 100, ...minute } })))
  )

  it.effect("counts the tokens of users of a host and of an account, too", () =>
    Effect.gen(function* () {
      yield* begin(user("ada"), 60)
      assert.isUndefined((yield* refuse(user("ada"), 60)).holder)
      assert.strictEqual((yield* refuse(user("bob"), 60)).holder, "account")
      yield* begin(user("bob"), 40)
    }).pipe(
      Effect.provide(
        makeLimiter({
          tokenRateLimit: { tokens: 80, ...minute },
          accountTokenRateLimit: { tokens: 100, ...minute }
        })
      )
    )
  )

  it.effect("gives back what it has taken when a later limit has no room", () =>
    Effect.gen(function* () {
      yield* begin(bob, 90)
      yield* refuse(ada, 50)
      // The slot and the tokens of the key are free.
      const own = { ...ada, account: AccountId.make("other") }
      yield* begin(own, 50)
      yield* refuse(own, 0)
    }).pipe(
      Effect.provide(
        makeLimiter({
          maxParallelRequests: 1,
          tokenRateLimit: { tokens: 100, ...minute },
          accountTokenRateLimit: { tokens: 100, ...minute }
        })
      )
    )
  )

  it.effect("keeps the slot of a request that runs for an hour", () =>
    Effect.gen(function* () {
      const long = yield* begin(ada)
      yield* TestClock.adjust(3_600_000)
      yield* refuse(ada)
      yield* long.end(0)
      const next = yield* begin(ada)
      yield* next.end(0)
      yield* TestClock.adjust(60_000)
      yield* begin(ada)
    }).pipe(Effect.provide(makeLimiter({ maxParallelRequests: 1 })))
  )

  it.effect("counts in this process while the store is unavailable", () => {
    const gone = Effect.fail(new RateLimitsUnavailable({ problem: "gone" }))
    const store = Layer.succeed(RateLimitStore, {
      take: () => gone,
      readWindow: () => gone,
      takeTokens: () => gone,
      addTokens: () => gone,
      takeSlot: () => gone,
      renewSlot: () => gone,
      releaseSlot: () => gone
    })
    return Effect.gen(function* () {
      const first = yield* begin(ada, 60)
      assert.strictEqual((yield* refuse(ada, 0)).counts, "slots")
      yield* TestClock.adjust(3_600_000)
      assert.strictEqual((yield* refuse(ada, 0)).counts, "slots")
      yield* first.end(60)
      yield* begin(ada, 60)
    }).pipe(
      Effect.provide(
        makeLimiter({ maxParallelRequests: 1, tokenRateLimit: { tokens: 100, ...minute } }, store)
      )
    )
  })
})
