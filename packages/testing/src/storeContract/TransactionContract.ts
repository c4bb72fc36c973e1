/** A test suite for implementations of `Transaction` with their stores. */
import { ApiKeyStore, Transaction, LedgerStore, NanoUsd } from "@signalbox/core/stores"
import type { ApiKey, Limit } from "@signalbox/core/stores"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { settle } from "./settle.ts"
import * as fresh from "./fixtures.ts"
import { type LeaseTime, testLeaseTime } from "./LeaseTime.ts"
import { makeRunTest } from "./makeRunTest.ts"

const toNanoUsd = NanoUsd.make

const runAtomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Transaction.use((port) => port.withTransaction(effect))
const reserve = (limit: Limit, amount: bigint) =>
  LedgerStore.use((store) =>
    store.reserve({
      account: fresh.makeAccountId(),
      limits: [limit],
      amount: toNanoUsd(amount),
      leaseMillis: 60_000
    })
  )
const makeKey = (name: string): ApiKey => fresh.makeApiKey({ name })

/** Every kind of write to every store, and what a reader can see of it. */
const openStores = Effect.gen(function* () {
  const ledger = yield* LedgerStore
  const keys = yield* ApiKeyStore
  const limit = fresh.makeLimit(100n)
  const [granted, ungranted] = [fresh.makeAccountId(), fresh.makeAccountId()]
  const [replaced, added] = [makeKey("before"), makeKey("added")]
  const [updated, removed, rotated] = [makeKey("before"), makeKey("before"), makeKey("before")]
  const secret = fresh.makeKeyHash()
  yield* ledger.grant(granted, toNanoUsd(5n))
  yield* Effect.forEach([replaced, updated, removed, rotated], keys.put)
  const [toSettle, toRelease] = [yield* reserve(limit, 10n), yield* reserve(limit, 20n)]
  const write = Effect.gen(function* () {
    yield* ledger.grant(granted, toNanoUsd(1n))
    yield* ledger.grant(ungranted, toNanoUsd(1n))
    yield* keys.put({ ...replaced, name: "after" })
    yield* keys.ensure(added)
    yield* keys.update(updated.account, updated.hash, (key) => ({ ...key, name: "after" }))
    yield* keys.remove(removed.account, removed.hash)
    yield* keys.rotate(rotated.account, rotated.hash, (key) => ({ ...key, secret_hash: secret }))
    yield* ledger.settle(toSettle, toNanoUsd(4n))
    yield* ledger.release(toRelease)
    yield* ledger.settle(yield* reserve(limit, 30n), toNanoUsd(40n))
    yield* reserve(limit, 7n)
  })
  const seen = Effect.gen(function* () {
    return {
      granted: yield* ledger.findGrantedCredits(granted),
      ungranted: yield* ledger.findGrantedCredits(ungranted),
      replaced: (yield* keys.findBySecretHash(replaced.hash))?.name,
      added: (yield* keys.findBySecretHash(added.hash))?.name,
      updated: (yield* keys.findBySecretHash(updated.hash))?.name,
      removed: (yield* keys.findBySecretHash(removed.hash))?.name,
      opensFirst: (yield* keys.findBySecretHash(rotated.hash)) !== undefined,
      opensSecond: (yield* keys.findBySecretHash(secret)) !== undefined,
      usage: { ...(yield* ledger.getUsage(limit)) }
    }
  })
  return { write, seen, toSettle, toRelease, limit }
})
const stateBefore = {
  granted: toNanoUsd(5n),
  ungranted: undefined,
  replaced: "before",
  added: undefined,
  updated: "before",
  removed: "before",
  opensFirst: true,
  opensSecond: false,
  usage: { settled: toNanoUsd(0n), reserved: toNanoUsd(30n) }
}
const stateAfter = {
  granted: toNanoUsd(6n),
  ungranted: toNanoUsd(1n),
  replaced: "after",
  added: "added",
  updated: "after",
  removed: undefined,
  opensFirst: false,
  opensSecond: true,
  usage: { settled: toNanoUsd(44n), reserved: toNanoUsd(7n) }
}

const takeReservation = (limit: Limit) => Effect.result(reserve(limit, 6n))

/**
 * Runs `meanwhile` while a transaction that reserved 6 of 10 is open, then ends the transaction.
 */
const runDuringTransaction = Effect.fnUntraced(function* <A, E, R>(
  meanwhile: (limit: Limit) => Effect.Effect<A, E, R>,
  ending: Effect.Effect<void, string>
) {
  const limit = fresh.makeLimit(10n)
  const reserved = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void>()
  const open = yield* Effect.forkChild(
    runAtomically(
      reserve(limit, 6n).pipe(
        Effect.andThen(Deferred.succeed(reserved, undefined)),
        Effect.andThen(Deferred.await(end)),
        Effect.andThen(ending)
      )
    )
  )
  yield* Deferred.await(reserved)
  const other = yield* Effect.forkChild(meanwhile(limit))
  yield* settle
  yield* Deferred.succeed(end, undefined)
  yield* Fiber.await(open)
  return yield* Fiber.join(other)
})

/**
 * Declares the tests in a vitest file: `TransactionContract("postgres", layer)`. The layer has the
 * port and two stores that take part in its transactions.
 */
export const TransactionContract = <R = never>(
  implementation: string,
  layer: Layer.Layer<Transaction | LedgerStore | ApiKeyStore | R, unknown>,
  { leaseTime = testLeaseTime }: { readonly leaseTime?: LeaseTime<R> } = {}
): void => {
  const { pass } = leaseTime
  const run = makeRunTest(layer)

  describe(`Transaction: ${implementation}`, () => {
    it("commits every write of an effect that succeeds, and returns its value", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* openStores
          assert.strictEqual(yield* runAtomically(Effect.as(write, "done")), "done")
          assert.deepStrictEqual(yield* seen, stateAfter)
        })
      ))

    it("shows the transaction its own writes", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* openStores
          assert.deepStrictEqual(yield* runAtomically(Effect.andThen(write, seen)), stateAfter)
        })
      ))

    it("rolls back every write of an effect that fails, and returns the error", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* openStores
          const exit = yield* Effect.exit(runAtomically(Effect.andThen(write, Effect.fail("why"))))
          assert.deepStrictEqual(exit, Exit.fail("why"))
          assert.deepStrictEqual(yield* seen, stateBefore)
        })
      ))

    it("rolls back every write of an effect that dies, and returns the defect", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* openStores
          const exit = yield* Effect.exit(runAtomically(Effect.andThen(write, Effect.die("bug"))))
          assert.deepStrictEqual(exit, Exit.die("bug"))
          assert.deepStrictEqual(yield* seen, stateBefore)
        })
      ))

    it("rolls back every write of an effect that is interrupted", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* openStores
          const written = yield* Deferred.make<void>()
          const fiber = yield* Effect.forkChild(
            runAtomically(
              write.pipe(
                Effect.andThen(Deferred.succeed(written, undefined)),
                Effect.andThen(Effect.never)
              )
            )
          )
          yield* Deferred.await(written)
          yield* Fiber.interrupt(fiber)
          assert.deepStrictEqual(yield* seen, stateBefore)
        })
      ))

    it("restores reservations on rollback, so that they can still be ended", () =>
      run(
        Effect.gen(function* () {
          const ledger = yield* LedgerStore
          const { limit, toRelease, toSettle, write } = yield* openStores
          yield* Effect.exit(runAtomically(Effect.andThen(write, Effect.fail("why"))))
          yield* ledger.settle(toSettle, toNanoUsd(9n))
          yield* ledger.release(toRelease)
          assert.deepStrictEqual(
            { ...(yield* ledger.getUsage(limit)) },
            { settled: toNanoUsd(9n), reserved: toNanoUsd(0n) }
          )
        })
      ))

    it("loses no reservation that expires during a failing transaction", () =>
      run(
        Effect.gen(function* () {
          const ledger = yield* LedgerStore
          const limit = fresh.makeLimit(100n)
          yield* reserve(limit, 10n)
          yield* pass(30_000)
          const open = yield* reserve(limit, 5n)
          yield* pass(31_000)
          const settleAndReserve = Effect.andThen(
            Effect.suspend(() => ledger.settle(open, toNanoUsd(5n))),
            reserve(limit, 1n)
          )
          yield* Effect.exit(runAtomically(Effect.andThen(settleAndReserve, Effect.fail("why"))))
          yield* ledger.release(open)
          // A store may look for expired reservations once a second.
          yield* pass(2_000)
          yield* ledger.release(yield* reserve(limit, 1n))
          assert.deepStrictEqual(
            { ...(yield* ledger.getUsage(limit)) },
            { settled: toNanoUsd(10n), reserved: toNanoUsd(0n) }
          )
        })
      ))

    it("joins a nested transaction to the outer one, and rolls back both together", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* openStores
          yield* Effect.exit(
            runAtomically(Effect.andThen(runAtomically(write), Effect.fail("why")))
          )
          assert.deepStrictEqual(yield* seen, stateBefore)
        })
      ))

    it("rolls back a nested transaction alone if the outer one recovers from its failure", () =>
      run(
        Effect.gen(function* () {
          const keys = yield* ApiKeyStore
          const { seen, write } = yield* openStores
          const [first, last] = [makeKey("first"), makeKey("last")]
          const exit = yield* runAtomically(
            keys.put(first).pipe(
              Effect.andThen(Effect.exit(runAtomically(Effect.andThen(write, Effect.fail("why"))))),
              Effect.tap(() => keys.put(last))
            )
          )
          assert.deepStrictEqual(exit, Exit.fail("why"))
          assert.deepStrictEqual(yield* seen, stateBefore)
          assert.deepStrictEqual(yield* keys.findBySecretHash(first.hash), first)
          assert.deepStrictEqual(yield* keys.findBySecretHash(last.hash), last)
        })
      ))

    for (const [where, write] of [
      ["outside a transaction", takeReservation],
      ["in another transaction", (limit: Limit) => runAtomically(takeReservation(limit))]
    ] as const) {
      it(`makes a write ${where} wait for a commit, and see it`, () =>
        run(
          Effect.gen(function* () {
            assert.isTrue(Result.isFailure(yield* runDuringTransaction(write, Effect.void)))
          })
        ))

      it(`makes a write ${where} wait for a rollback, and not see it`, () =>
        run(
          Effect.gen(function* () {
            assert.isTrue(Result.isSuccess(yield* runDuringTransaction(write, Effect.fail("why"))))
          })
        ))
    }

    it("hides uncommitted writes from other transactions", () =>
      run(
        Effect.gen(function* () {
          const ledger = yield* LedgerStore
          const [first, second] = [fresh.makeAccountId(), fresh.makeAccountId()]
          const begun = yield* Deferred.make<void>()
          const writing = yield* Effect.forkChild(
            runAtomically(
              ledger
                .grant(first, toNanoUsd(1n))
                .pipe(
                  Effect.andThen(Deferred.succeed(begun, undefined)),
                  Effect.andThen(settle),
                  Effect.andThen(ledger.grant(second, toNanoUsd(1n)))
                )
            )
          )
          yield* Deferred.await(begun)
          const seen = yield* runAtomically(
            Effect.suspend(() =>
              Effect.all({
                first: ledger.findGrantedCredits(first),
                second: ledger.findGrantedCredits(second)
              })
            )
          )
          yield* Fiber.join(writing)
          assert.isFalse(seen.first !== undefined && seen.second === undefined)
        })
      ))

    it("continues after transactions that failed, died, or were interrupted while running or waiting", () =>
      run(
        Effect.gen(function* () {
          const keys = yield* ApiKeyStore
          const stored = makeKey("kept")
          const never = makeKey("never")
          const begun = yield* Deferred.make<void>()
          yield* Effect.exit(runAtomically(Effect.fail("why")))
          yield* Effect.exit(runAtomically(Effect.die("bug")))
          const open = yield* Effect.forkChild(
            runAtomically(
              keys
                .put(makeKey("open"))
                .pipe(
                  Effect.andThen(Deferred.succeed(begun, undefined)),
                  Effect.andThen(Effect.never)
                )
            )
          )
          yield* Deferred.await(begun)
          const waiting = yield* Effect.forkChild(
            runAtomically(Effect.andThen(settle, keys.put(never)))
          )
          yield* Effect.yieldNow
          yield* Fiber.interrupt(waiting)
          yield* Fiber.interrupt(open)
          yield* runAtomically(keys.put(stored))
          assert.deepStrictEqual(yield* keys.findBySecretHash(stored.hash), stored)
          assert.isUndefined(yield* keys.findBySecretHash(never.hash))
        })
      ))
  })
}
