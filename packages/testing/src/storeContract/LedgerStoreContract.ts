/** What every `LedgerStore` must do: never beyond a limit, never twice, whatever happens at once. */
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
  Effect.flip(reserve(amount, ...limits))
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

/** Told to the counters, as when a request ends. */
const record = Effect.fnUntraced(function* (
  spender: Subject.Spender,
  cost: bigint,
  isByok = false
) {
  const counters = yield* SpendCounters
  yield* counters.record(spender, toNanoUsd(cost), isByok, yield* Clock.currentTimeMillis)
})

/** A limit of somebody, who may have spent before; it holds for this day or for good. */
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
 * Declares the tests in a vitest file: `LedgerStoreContract("postgres", layer)`. The layer has the port
 * and the counters it looks at. Both must take the time from Effect's `Clock`, so that leases lapse and
 * days end when a test says so.
 */
export const LedgerStoreContract = (
  implementation: string,
  layer: Layer.Layer<LedgerStore | SpendCounters, unknown>
): void => {
  const run = makeRunTest(layer)

  describe(`LedgerStore: ${implementation}`, () => {
    it("sets aside what is reserved, and charges what is settled", () =>
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

    it("lets the next one use what a release or a smaller charge freed", () =>
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

    it("changes nothing when a reservation is ended again", () =>
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

    it("takes all limits or none, and names the first that has no room", () =>
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

    it("charges an overrun only as far as every limit has room for it", () =>
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

    it("lets through what is free, also where there is no room left", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(1n)
          yield* reserve(1n, limit)
          for (const cap of [1n, 0n]) {
            const free = yield* reserve(0n, { ...limit, cap: toNanoUsd(cap) })
            assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 1n })
            // What was free and turns out not to be is no reason to go beyond the limit.
            assert.deepStrictEqual(yield* settle(free, 1n), {
              charged: toNanoUsd(0n),
              overrun: toNanoUsd(1n)
            })
          }
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 1n })
        })
      ))

    it("goes by the cap each reservation comes with", () =>
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

    it("restores no old cap for those who know a newer one", () =>
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

    it("counts each window of a limit by itself", () =>
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

    it("is exact beyond what a double holds", () =>
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

    it("charges a lapsed reservation in full once another is made, and only once", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          const lapsing = yield* reserve(6n, limit)
          yield* TestClock.adjust(leaseMillis - 1)
          yield* release(yield* reserve(1n, limit))
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 6n })
          // A store may look for lapsed reservations once a second.
          yield* TestClock.adjust(1_001)
          const next = yield* reserve(1n, limit)
          assert.deepStrictEqual(yield* usage(limit), { settled: 6n, reserved: 1n })
          assert.deepStrictEqual(yield* settle(lapsing, 2n), noCharge)
          yield* release(lapsing)
          yield* release(next)
          assert.deepStrictEqual(yield* usage(limit), { settled: 6n, reserved: 0n })
        })
      ))

    it("puts off the lapse of a reservation that is renewed, and of none that has ended", () =>
      run(
        Effect.gen(function* () {
          const limit = fresh.makeLimit(10n)
          const lasting = yield* reserve(6n, limit)
          yield* TestClock.adjust(leaseMillis - 1)
          assert.isTrue(yield* renew(lasting))
          yield* TestClock.adjust(leaseMillis - 1)
          yield* release(yield* reserve(1n, limit))
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 6n })
          assert.deepStrictEqual(yield* settle(lasting, 2n), { charged: 2n, overrun: 0n })
          assert.isFalse(yield* renew(lasting))
          const lapsing = yield* reserve(6n, limit)
          yield* TestClock.adjust(leaseMillis + 1_001)
          assert.isFalse(yield* renew(lapsing))
          yield* release(yield* reserve(1n, limit))
          assert.deepStrictEqual(yield* usage(limit), { settled: 8n, reserved: 0n })
        })
      ))

    it("gives a contested limit to exactly as many as it has room for", () =>
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
          assert.lengthOf(yield* contest, 10)
          assert.deepStrictEqual(yield* usage(limit), { settled: 0n, reserved: 10n })
        })
      ))

    it("does not lock itself up over limits named in another order", () =>
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

    it("charges a reservation once when many end it at once", () =>
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

    it("counts what was spent before there was a limit", () =>
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

    it("counts what is spent under a limit once, before and after it is recorded", () =>
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

    it("counts what was spent while a limit was lifted", () =>
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

    it("counts what ran when a limit took the place of another once that has ended", () =>
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

    it("counts what own credentials paid for where a limit says so", () =>
      run(
        Effect.gen(function* () {
          const spender = fresh.makeSpender()
          yield* record(spender, 2n)
          yield* record(spender, 5n, true)
          const without = toLimit(spender, 10n)
          const including = { ...without, countsByok: true }
          assert.strictEqual((yield* makeRefusal(11n, without)).available, toNanoUsd(8n))
          assert.strictEqual((yield* makeRefusal(11n, including)).available, toNanoUsd(3n))
          // What was settled while it counted does not when it no longer does.
          yield* settle(yield* reserve(3n, including), 3n)
          yield* record(spender, 3n, true)
          assert.strictEqual((yield* makeRefusal(11n, without)).available, toNanoUsd(8n))
          assert.strictEqual((yield* makeRefusal(11n, including)).available, toNanoUsd(0n))
        })
      ))

    it("counts nothing of another window, of another subject, or of nobody", () =>
      run(
        Effect.gen(function* () {
          const [spender, other] = [fresh.makeSpender(), fresh.makeSpender()]
          yield* record(spender, 5n)
          yield* record(other, 1n)
          const yesterday = toLimit(spender, 10n)
          const nobodys = fresh.makeLimit(10n)
          yield* TestClock.adjust(dayMillis)
          const today = { ...yesterday, window: "1970-01-02", endsAt: 2 * dayMillis }
          assert.strictEqual((yield* makeRefusal(11n, today)).available, toNanoUsd(10n))
          yield* record(spender, 7n)
          assert.strictEqual((yield* makeRefusal(11n, today)).available, toNanoUsd(3n))
          assert.strictEqual((yield* makeRefusal(11n, nobodys)).available, toNanoUsd(10n))
          assert.strictEqual(
            (yield* makeRefusal(13n, toLimit(spender, 13n, "lifetime"))).available,
            toNanoUsd(1n)
          )
          // Made before midnight, and asked for after it.
          assert.strictEqual((yield* makeRefusal(11n, yesterday)).available, toNanoUsd(10n))
        })
      ))

    it("does not grant a limit again that is spent when the clock is set back", () =>
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

    it("gives a limit that was spent of before to as many of 200 as it has room for", () =>
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

    it("takes what the host says at a start for what it said before, and beside what was granted", () =>
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

    it("counts no further than it can, whatever is spent, granted or allowed", () =>
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

    it("adds up what is granted, and tells no grant from a grant of nothing", () =>
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
