/**
 * A test suite for implementations of `LedgerStore`: concurrent requests never exceed a limit, and
 * nothing is charged twice.
 */
import {
  type Limit,
  type LimitExceeded,
  LedgerStore,
  NanoUsd,
  SpendCounters,
  Subject
} from "@signalbox/core/stores"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { awaitFreshRefusals, type LeaseTime, testLeaseTime } from "./LeaseTime.ts"
import { makeRunTest } from "./makeRunTest.ts"

const toNanoUsd = NanoUsd.make
const leaseMillis = 60_000
const noCharge = { charged: toNanoUsd(0n), overrun: toNanoUsd(0n) }

const reserve = (amount: bigint, ...limits: ReadonlyArray<Limit>) =>
  LedgerStore.use((store) =>
    store.reserve({
      account: fresh.makeAccountId(),
      limits,
      amount: toNanoUsd(amount),
      leaseMillis
    })
  )
const makeRefusal = (amount: bigint, ...limits: ReadonlyArray<Limit>) =>
  Effect.andThen(awaitFreshRefusals, Effect.flip(reserve(amount, ...limits)))
const settle = (reservation: string, amount: bigint) =>
  LedgerStore.use((store) => store.settle(reservation, toNanoUsd(amount)))
const renew = (reservation: string) =>
  LedgerStore.use((store) => store.renew(reservation, leaseMillis))
const release = (reservation: string) => LedgerStore.use((store) => store.release(reservation))
const usage = (limit: Limit) =>
  Effect.map(
    LedgerStore.use((store) => store.getUsage(limit)),
    ({ reserved, settled }) => ({ settled: BigInt(settled), reserved: BigInt(reserved) })
  )
const toRefusal = ({ amount, available, limit }: LimitExceeded) => ({ amount, available, limit })

const spend = (...limits: ReadonlyArray<Limit>) =>
  Effect.flatMap(reserve(2n, ...limits), (reservation) => settle(reservation, 1n))

/** Recorded in the counters, as at the end of a request. */
const record = Effect.fnUntraced(function* (
  spender: Subject.Spender,
  cost: bigint,
  isByok = false
) {
  const counters = yield* SpendCounters
  yield* counters.record(spender, toNanoUsd(cost), isByok, yield* Clock.currentTimeMillis)
})

/** A daily or lifetime limit of a workspace, which may already have spent. */
const toLimit = (
  spender: Subject.Spender,
  cap: bigint,
  interval: "daily" | "lifetime" = "daily"
): Limit => ({
  ...fresh.makeLimit(cap),
  kind: "workspace",
  subject: Subject.fromWorkspace(spender),
  interval,
  ...(interval === "daily" ? { window: "1970-01-01", endsAt: dayMillis } : undefined)
})

const dayMillis = 86_400_000

/**
 * Declares the tests in a vitest file: `LedgerStoreContract("postgres", layer)`. The layer has the
 * port and the counters that it reads. Both must use Effect's `Clock`, so that a test can end days
 * and, unless `leaseTime` says how, expire leases.
 */
export const LedgerStoreContract = <R = never>(
  implementation: string,
  layer: Layer.Layer<LedgerStore | SpendCounters | R, unknown>,
  { leaseTime = testLeaseTime }: { readonly leaseTime?: LeaseTime<R> } = {}
): void => {
  const { marginMillis, pass } = leaseTime
  const run = makeRunTest(layer)

  describe(`LedgerStore: ${implementation}`, () => {
    it("holds what is reserved, and charges what is settled", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 0n })
          const reservation = yield* reserve(6n, limit)
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 6n })
          assert.deepStrictEqual(yield* settle(reservation, 4n), {
            charged: toNanoUsd(4n),
            overrun: toNanoUsd(0n)
          })
          assert.deepStrictEqual(yield* usage(limit), { settled: 4n, reserved: 0n })
        })
      ))

    it("says what running requests hold of the limit that it refuses", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          const other = fresh.makeLimit(10n)
          yield* reserve(5n, other)
          const first = yield* reserve(3n, limit, other)
          yield* reserve(4n, limit)
          assert.deepStrictEqual((yield* makeRefusal(9n, limit)).held, {
            amount: toNanoUsd(7n),
            reservations: 2
          })
          yield* settle(first, 3n)
          assert.deepStrictEqual((yield* makeRefusal(9n, limit)).held, {
            amount: toNanoUsd(4n),
            reservations: 1
          })
          const exhausted = fresh.makeLimit(1n)
          assert.isUndefined((yield* makeRefusal(2n, exhausted)).held)
        })
      ))

    it("reserves up to the limit, and not one nano-USD more", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          yield* reserve(7n, limit)
          assert.deepStrictEqual(toRefusal(yield* makeRefusal(4n, limit)), {
            limit,
            amount: toNanoUsd(4n),
            available: toNanoUsd(3n)
          })
          yield* reserve(3n, limit)
          assert.deepStrictEqual(toRefusal(yield* makeRefusal(1n, limit)), {
            limit,
            amount: toNanoUsd(1n),
            available: toNanoUsd(0n)
          })
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 10n })
        })
      ))

    it("makes released and uncharged amounts available again", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          const [first, second] = [yield* reserve(5n, limit), yield* reserve(5n, limit)]
          yield* release(first)
          yield* reserve(5n, limit)
          yield* settle(second, 2n)
          yield* reserve(3n, limit)
          yield* makeRefusal(1n, limit)
          assert.deepStrictEqual(yield* usage(limit), { settled: 2n, reserved: 8n })
        })
      ))

    it("ignores a second end of a reservation", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          const [settled, released] = [yield* reserve(5n, limit), yield* reserve(5n, limit)]
          yield* settle(settled, 4n)
          yield* release(released)
          assert.deepStrictEqual(yield* settle(settled, 5n), noCharge)
          assert.deepStrictEqual(yield* settle(released, 5n), noCharge)
          yield* release(settled)
          yield* release(released)
          assert.deepStrictEqual(yield* usage(limit), { settled: 4n, reserved: 0n })
        })
      ))

    it("reserves in all limits or in none, and names the first one without room", () =>
      run(
        Effect.gen(function* () {
          const [wide, narrow] = [fresh.makeLimit(10n), fresh.makeLimit(5n)]
          assert.strictEqual((yield* makeRefusal(6n, wide, narrow)).limit.id, narrow.id)
          assert.strictEqual((yield* makeRefusal(11n, narrow, wide)).limit.id, narrow.id)
          assert.strictEqual((yield* makeRefusal(11n, wide, narrow)).limit.id, wide.id)
          assert.deepStrictEqual(yield* usage(wide), { settled: 0n, reserved: 0n })
          assert.deepStrictEqual(yield* usage(narrow), { settled: 0n, reserved: 0n })
          const reservation = yield* reserve(5n, wide, narrow)
          yield* settle(reservation, 3n)
          for (const limit of [wide, narrow]) {
            assert.deepStrictEqual(yield* usage(limit), { settled: 3n, reserved: 0n })
          }
        })
      ))

    it("charges an overrun only as far as every limit has room", () =>
      run(
        Effect.gen(function* () {
          const [wide, narrow] = [fresh.makeLimit(100n), fresh.makeLimit(10n)]
          const running = yield* reserve(3n, wide, narrow)
          yield* reserve(4n, narrow)
          assert.deepStrictEqual(yield* settle(running, 8n), {
            charged: toNanoUsd(6n),
            overrun: toNanoUsd(2n)
          })
          assert.deepStrictEqual(yield* usage(narrow), { settled: 6n, reserved: 4n })
          assert.deepStrictEqual(yield* usage(wide), { settled: 6n, reserved: 0n })
        })
      ))

    it("accepts a free reservation even at the limit", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(1n)
          yield* reserve(1n, limit)
          for (const cap of [1n, 0n]) {
            const free = yield* reserve(0n, { ...limit, cap: toNanoUsd(cap) })
            assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 1n })
            // A free request that turns out to cost something does not exceed the limit either.
            assert.deepStrictEqual(yield* settle(free, 1n), {
              charged: toNanoUsd(0n),
              overrun: toNanoUsd(1n)
            })
          }
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 1n })
        })
      ))

    it("counts under a soft limit, which has room for everything", () =>
      run(
        Effect.gen(function* () {
          const soft: Limit = { ...fresh.makeLimit(10n), soft: true }
          const hard = fresh.makeLimit(100n)
          const first = yield* reserve(30n, soft, hard)
          assert.deepStrictEqual(yield* usage(soft), { settled: 0n, reserved: 30n })
          yield* settle(first, 20n)
          const ofUnknownPrice = yield* reserve(0n, soft)
          assert.deepStrictEqual(yield* settle(ofUnknownPrice, 7n), {
            charged: toNanoUsd(7n),
            overrun: toNanoUsd(0n)
          })
          assert.deepStrictEqual(yield* usage(soft), { settled: 27n, reserved: 0n })
          assert.deepStrictEqual((yield* makeRefusal(81n, soft, hard)).limit, hard)
        })
      ))

    it("applies the cap that each reservation states", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(5n)
          yield* reserve(5n, limit)
          yield* makeRefusal(1n, limit)
          yield* reserve(5n, { ...limit, cap: toNanoUsd(10n) })
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 10n })
          const lowered = yield* makeRefusal(1n, { ...limit, cap: toNanoUsd(3n) })
          assert.strictEqual(lowered.available, toNanoUsd(0n))
        })
      ))

    it("keeps a raised cap for running reservations when a request states the old one", () =>
      run(
        Effect.gen(function* () {
          const old = fresh.makeLimit(5n)
          const raised = { ...old, cap: toNanoUsd(20n) }
          const running = yield* reserve(4n, raised)
          yield* reserve(1n, old)
          assert.deepStrictEqual(yield* settle(running, 15n), {
            charged: toNanoUsd(15n),
            overrun: toNanoUsd(0n)
          })
          yield* makeRefusal(1n, old)
          yield* reserve(4n, raised)
          assert.deepStrictEqual(yield* usage(old), { settled: 15n, reserved: 5n })
        })
      ))

    it("counts each window of a limit separately", () =>
      run(
        Effect.gen(function* () {
          const november = { ...fresh.makeLimit(5n), window: "2026-11" }
          const december = { ...november, window: "2026-12" }
          yield* reserve(5n, november)
          yield* reserve(5n, december)
          yield* makeRefusal(1n, november)
          assert.deepStrictEqual(yield* usage(december), { settled: 0n, reserved: 5n })
        })
      ))

    it("is exact above the safe integers", () =>
      run(
        Effect.gen(function* () {
          const cap = 9_007_199_254_740_993n
          const limit = fresh.makeLimit(cap)
          yield* settle(yield* reserve(cap - 1n, limit), cap - 1n)
          yield* reserve(1n, limit)
          assert.deepStrictEqual(yield* usage(limit), { settled: cap - 1n, reserved: 1n })
          yield* makeRefusal(1n, limit)
        })
      ))

    it("charges an expired reservation once and in full, at the next reservation", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          const expiring = yield* reserve(6n, limit)
          yield* pass(leaseMillis - marginMillis)
          yield* release(yield* reserve(1n, limit))
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 6n })
          // A store may look for expired reservations once a second.
          yield* pass(marginMillis + 1_000)
          const next = yield* reserve(1n, limit)
          assert.deepStrictEqual(yield* usage(limit), { settled: 6n, reserved: 1n })
          assert.deepStrictEqual(yield* settle(expiring, 2n), noCharge)
          yield* release(expiring)
          yield* release(next)
          assert.deepStrictEqual(yield* usage(limit), { settled: 6n, reserved: 0n })
        })
      ))

    it("extends the lease of a running reservation, but not of an ended one", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          const lasting = yield* reserve(6n, limit)
          yield* pass(leaseMillis - marginMillis)
          assert.isTrue(yield* renew(lasting))
          yield* pass(leaseMillis - marginMillis)
          yield* release(yield* reserve(1n, limit))
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 6n })
          assert.deepStrictEqual(yield* settle(lasting, 2n), { charged: 2n, overrun: 0n })
          assert.isFalse(yield* renew(lasting))
          const expiring = yield* reserve(6n, limit)
          yield* pass(leaseMillis + 1_001)
          assert.isFalse(yield* renew(expiring))
          yield* release(yield* reserve(1n, limit))
          assert.deepStrictEqual(yield* usage(limit), { settled: 8n, reserved: 0n })
        })
      ))

    it("grants a contested limit to exactly as many as it has room for", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          const contest = Effect.map(
            Effect.all(Arr.replicate(Effect.result(reserve(1n, limit)), 40), {
              concurrency: "unbounded"
            }),
            Arr.filter(Result.isSuccess)
          )
          const winners = yield* contest
          assert.lengthOf(winners, 10)
          yield* Effect.forEach(winners, ({ success }) => release(success), {
            concurrency: "unbounded"
          })
          yield* awaitFreshRefusals
          assert.lengthOf(yield* contest, 10)
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 10n })
        })
      ))

    it("does not deadlock on limits named in different orders", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [fresh.makeLimit(1_000n), fresh.makeLimit(1_000n)]
          yield* Effect.all(Arr.flatten(Arr.replicate([spend(one, two), spend(two, one)], 10)), {
            concurrency: "unbounded"
          })
          for (const limit of [one, two]) {
            assert.deepStrictEqual(yield* usage(limit), { settled: 20n, reserved: 0n })
          }
        })
      ))

    it("charges a reservation once if many settle it concurrently", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          const reservation = yield* reserve(10n, limit)
          const settled = yield* Effect.all(Arr.replicate(settle(reservation, 4n), 10), {
            concurrency: "unbounded"
          })
          assert.lengthOf(
            settled.filter(({ charged }) => charged > 0n),
            1
          )
          assert.deepStrictEqual(yield* usage(limit), { settled: 4n, reserved: 0n })
        })
      ))

    it("counts spending from before the limit existed", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          yield* record(spender, 5n)
          const daily = toLimit(spender, 4n)
          assert.strictEqual((yield* makeRefusal(1n, daily)).available, toNanoUsd(0n))
          assert.deepStrictEqual(yield* usage(daily), { settled: 5n, reserved: 0n })
          const wider = { ...daily, cap: toNanoUsd(8n) }
          assert.strictEqual((yield* makeRefusal(4n, wider)).available, toNanoUsd(3n))
          yield* settle(yield* reserve(3n, wider), 3n)
          assert.deepStrictEqual(yield* usage(daily), { settled: 8n, reserved: 0n })
        })
      ))

    it("counts spending under a limit once, before and after it is recorded", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          yield* record(spender, 5n)
          const limit = toLimit(spender, 20n, "lifetime")
          const running = yield* reserve(4n, limit)
          yield* settle(running, 3n)
          assert.strictEqual((yield* makeRefusal(13n, limit)).available, toNanoUsd(12n))
          yield* record(spender, 3n)
          assert.strictEqual((yield* makeRefusal(13n, limit)).available, toNanoUsd(12n))
          assert.deepStrictEqual(yield* usage(limit), { settled: 8n, reserved: 0n })
        })
      ))

    it("counts spending from while the limit was lifted", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          const limit = toLimit(spender, 10n)
          yield* settle(yield* reserve(2n, limit), 2n)
          yield* record(spender, 2n)
          yield* record(spender, 5n)
          assert.strictEqual((yield* makeRefusal(4n, limit)).available, toNanoUsd(3n))
        })
      ))

    it("counts a reservation under a replaced limit once it is settled", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          const before = toLimit(spender, 10n)
          const running = yield* reserve(6n, before)
          const after = [toLimit(spender, 10n, "lifetime"), { ...before, countsByok: true }]
          for (const limit of after) yield* reserve(1n, limit)
          yield* settle(running, 6n)
          yield* record(spender, 6n)
          for (const limit of after) {
            assert.strictEqual((yield* makeRefusal(4n, limit)).available, toNanoUsd(3n))
            assert.deepStrictEqual(yield* usage(limit), { settled: 6n, reserved: 1n })
          }
        })
      ))

    it("counts spending on the customer's own credentials only if the limit says so", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          yield* record(spender, 2n)
          yield* record(spender, 5n, true)
          const without = toLimit(spender, 10n)
          const including = { ...without, countsByok: true }
          assert.strictEqual((yield* makeRefusal(11n, without)).available, toNanoUsd(8n))
          assert.strictEqual((yield* makeRefusal(11n, including)).available, toNanoUsd(3n))
          // Spending that was settled while it counted no longer counts afterwards.
          yield* settle(yield* reserve(3n, including), 3n)
          yield* record(spender, 3n, true)
          assert.strictEqual((yield* makeRefusal(11n, without)).available, toNanoUsd(8n))
          assert.strictEqual((yield* makeRefusal(11n, including)).available, toNanoUsd(0n))
        })
      ))

    it("ignores the spending of other windows and of other subjects", () =>
      run(
        Effect.gen(function* () {
          const [spender, other] = [fresh.makeSpender(), fresh.makeSpender()]
          yield* record(spender, 5n)
          yield* record(other, 1n)
          const yesterday = toLimit(spender, 10n)
          const otherLimit = fresh.makeLimit(10n)
          yield* TestClock.adjust(dayMillis)
          const today = { ...yesterday, window: "1970-01-02", endsAt: 2 * dayMillis }
          assert.strictEqual((yield* makeRefusal(11n, today)).available, toNanoUsd(10n))
          yield* record(spender, 7n)
          assert.strictEqual((yield* makeRefusal(11n, today)).available, toNanoUsd(3n))
          assert.strictEqual((yield* makeRefusal(11n, otherLimit)).available, toNanoUsd(10n))
          assert.strictEqual(
            (yield* makeRefusal(13n, toLimit(spender, 13n, "lifetime"))).available,
            toNanoUsd(1n)
          )
          // The limit was made before midnight, and is used after it.
          assert.strictEqual((yield* makeRefusal(11n, yesterday)).available, toNanoUsd(10n))
        })
      ))

    it("keeps a limit exhausted when the clock is set back", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          const yesterday = toLimit(spender, 10n)
          const today = { ...yesterday, window: "1970-01-02", endsAt: 2 * dayMillis }
          yield* TestClock.setTime(dayMillis + 1_000)
          yield* settle(yield* reserve(10n, today), 10n)
          yield* record(spender, 10n)
          assert.strictEqual((yield* makeRefusal(1n, today)).available, toNanoUsd(0n))
          yield* TestClock.setTime(dayMillis - 1_000)
          assert.strictEqual((yield* makeRefusal(1n, yesterday)).available, toNanoUsd(0n))
          assert.deepStrictEqual(yield* usage(yesterday), { settled: 10n, reserved: 0n })
          yield* TestClock.setTime(dayMillis + 2_000)
          assert.strictEqual((yield* makeRefusal(1n, today)).available, toNanoUsd(0n))
          const tomorrow = { ...today, window: "1970-01-03", endsAt: 3 * dayMillis }
          yield* TestClock.setTime(2 * dayMillis)
          yield* release(yield* reserve(10n, tomorrow))
        })
      ))

    it("grants 50 of 200 concurrent reservations if a limit with earlier spending has room for 50", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          yield* record(spender, 7n)
          const limit = toLimit(spender, 57n)
          const taking = Effect.result(
            Effect.gen(function* () {
              const reservation = yield* reserve(1n, limit)
              yield* settle(reservation, 1n)
              yield* record(spender, 1n)
            })
          )
          const taken = yield* Effect.all(Arr.replicate(taking, 200), { concurrency: "unbounded" })
          assert.lengthOf(Arr.filter(taken, Result.isSuccess), 50)
          assert.deepStrictEqual(yield* usage(limit), { settled: 57n, reserved: 0n })
        })
      ))

    it("replaces the initial credits at each start, and adds them to the granted ones", () =>
      run(
        Effect.gen(function* () {
          const store = yield* LedgerStore
          const account = fresh.makeAccountId()
          yield* store.setInitialCredits(account, toNanoUsd(10n))
          assert.strictEqual(yield* store.grant(account, toNanoUsd(5n)), toNanoUsd(15n))
          yield* Effect.all(Arr.replicate(store.setInitialCredits(account, toNanoUsd(10n)), 10), {
            concurrency: "unbounded"
          })
          assert.strictEqual(yield* store.findGrantedCredits(account), toNanoUsd(15n))
          yield* store.setInitialCredits(account, toNanoUsd(3n))
          assert.strictEqual(yield* store.findGrantedCredits(account), toNanoUsd(8n))
        })
      ))

    it("saturates at the largest amount that is spent, granted or allowed", () =>
      run(
        Effect.gen(function* () {
          const most = BigInt(NanoUsd.maxAmount)
          const spender = fresh.makeSpender()
          const limit = { ...toLimit(spender, 2n ** 70n), countsByok: true }
          const running = yield* reserve(most, limit)
          assert.strictEqual((yield* makeRefusal(1n, limit)).available, toNanoUsd(0n))
          yield* record(spender, 2n ** 63n)
          yield* record(spender, 2n ** 63n, true)
          assert.deepStrictEqual(yield* usage(limit), { settled: most, reserved: most })
          yield* makeRefusal(1n, limit)
          yield* release(yield* reserve(0n, limit))
          assert.strictEqual((yield* settle(running, 2n ** 70n)).charged, NanoUsd.maxAmount)
          assert.deepStrictEqual(yield* usage(limit), { settled: most, reserved: 0n })
          yield* release(yield* reserve(0n, limit))
          assert.strictEqual((yield* makeRefusal(1n, limit)).available, toNanoUsd(0n))

          const store = yield* LedgerStore
          const account = fresh.makeAccountId()
          yield* store.setInitialCredits(account, toNanoUsd(2n ** 70n))
          for (const amount of [2n ** 62n, 2n ** 62n, 2n ** 70n]) {
            assert.strictEqual(yield* store.grant(account, toNanoUsd(amount)), NanoUsd.maxAmount)
          }
          assert.strictEqual(yield* store.findGrantedCredits(account), NanoUsd.maxAmount)
        })
      ))

    it("adds up grants, and distinguishes no grant from a grant of zero", () =>
      run(
        Effect.gen(function* () {
          const store = yield* LedgerStore
          const [account, other] = [fresh.makeAccountId(), fresh.makeAccountId()]
          assert.isUndefined(yield* store.findGrantedCredits(account))
          assert.strictEqual(yield* store.grant(account, toNanoUsd(0n)), toNanoUsd(0n))
          assert.strictEqual(yield* store.findGrantedCredits(account), toNanoUsd(0n))
          yield* Effect.all(Arr.replicate(store.grant(account, toNanoUsd(3n)), 10), {
            concurrency: "unbounded"
          })
          assert.strictEqual(yield* store.grant(account, toNanoUsd(1n)), toNanoUsd(31n))
          assert.strictEqual(yield* store.findGrantedCredits(account), toNanoUsd(31n))
          assert.isUndefined(yield* store.findGrantedCredits(other))
        })
      ))
  })
}
