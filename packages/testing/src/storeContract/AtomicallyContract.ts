/** What every `Atomically` must do for the stores that belong to it. */
import { ApiKeyStore, Atomically, LedgerStore, NanoUsd } from "@signalbox/core/stores"
import type { ApiKey, Limit } from "@signalbox/core/stores"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "vitest"
import { aWhile } from "./aWhile.ts"
import * as fresh from "./fresh.ts"
import { runOn } from "./runOn.ts"

const nano = NanoUsd.make

const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Atomically.use((port) => port.atomically(effect))
const reserve = (limit: Limit, amount: bigint) =>
  LedgerStore.use((store) =>
    store.reserve({
      account: fresh.account(),
      limits: [limit],
      amount: nano(amount),
      leaseMillis: 60_000
    })
  )
const key = (name: string): ApiKey => fresh.apiKey({ name })

/** Every kind of write of every store, and what can be seen of them. */
const everything = Effect.gen(function* () {
  const ledger = yield* LedgerStore
  const keys = yield* ApiKeyStore
  const limit = fresh.limit(100n)
  const [granted, ungranted] = [fresh.account(), fresh.account()]
  const [replaced, added] = [key("before"), key("added")]
  const [updated, removed, rotated] = [key("before"), key("before"), key("before")]
  const secret = fresh.keyHash()
  yield* ledger.grant(granted, nano(5n))
  yield* Effect.forEach([replaced, updated, removed, rotated], keys.put)
  const [toSettle, toRelease] = [yield* reserve(limit, 10n), yield* reserve(limit, 20n)]
  const write = Effect.gen(function* () {
    yield* ledger.grant(granted, nano(1n))
    yield* ledger.grant(ungranted, nano(1n))
    yield* keys.put({ ...replaced, name: "after" })
    yield* keys.ensure(added)
    yield* keys.update(updated.account, updated.hash, (key) => ({ ...key, name: "after" }))
    yield* keys.remove(removed.account, removed.hash)
    yield* keys.rotate(rotated.account, rotated.hash, (key) => ({ ...key, secret_hash: secret }))
    yield* ledger.settle(toSettle, nano(4n))
    yield* ledger.release(toRelease)
    yield* ledger.settle(yield* reserve(limit, 30n), nano(40n))
    yield* reserve(limit, 7n)
  })
  const seen = Effect.gen(function* () {
    return {
      granted: yield* ledger.granted(granted),
      ungranted: yield* ledger.granted(ungranted),
      replaced: (yield* keys.findByHash(replaced.hash))?.name,
      added: (yield* keys.findByHash(added.hash))?.name,
      updated: (yield* keys.findByHash(updated.hash))?.name,
      removed: (yield* keys.findByHash(removed.hash))?.name,
      opensFirst: (yield* keys.findByHash(rotated.hash)) !== undefined,
      opensSecond: (yield* keys.findByHash(secret)) !== undefined,
      usage: { ...(yield* ledger.usage(limit)) }
    }
  })
  return { write, seen, toSettle, toRelease, limit }
})
const before = {
  granted: nano(5n),
  ungranted: undefined,
  replaced: "before",
  added: undefined,
  updated: "before",
  removed: "before",
  opensFirst: true,
  opensSecond: false,
  usage: { settled: nano(0n), reserved: nano(30n) }
}
const after = {
  granted: nano(6n),
  ungranted: nano(1n),
  replaced: "after",
  added: "added",
  updated: "after",
  removed: undefined,
  opensFirst: false,
  opensSecond: true,
  usage: { settled: nano(44n), reserved: nano(7n) }
}

const take = (limit: Limit) => Effect.result(reserve(limit, 6n))

/** Runs `meanwhile` while an atomic effect that reserved 6 of 10 is open, then ends that. */
const during = Effect.fnUntraced(function* <A, E, R>(
  meanwhile: (limit: Limit) => Effect.Effect<A, E, R>,
  ending: Effect.Effect<void, string>
) {
  const limit = fresh.limit(10n)
  const reserved = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void>()
  const open = yield* Effect.forkChild(
    atomically(
      reserve(limit, 6n).pipe(
        Effect.andThen(Deferred.succeed(reserved, undefined)),
        Effect.andThen(Deferred.await(end)),
        Effect.andThen(ending)
      )
    )
  )
  yield* Deferred.await(reserved)
  const other = yield* Effect.forkChild(meanwhile(limit))
  yield* aWhile
  yield* Deferred.succeed(end, undefined)
  yield* Fiber.await(open)
  return yield* Fiber.join(other)
})

/**
 * Declares the tests in a vitest file: `AtomicallyContract("postgres", layer)`. The layer has the port
 * and two stores whose writes it joins.
 */
export const AtomicallyContract = (
  implementation: string,
  layer: Layer.Layer<Atomically | LedgerStore | ApiKeyStore, unknown>
): void => {
  const run = runOn(layer)

  describe(`Atomically: ${implementation}`, () => {
    it("keeps every write of an effect that succeeds, and hands over what it yields", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* everything
          assert.strictEqual(yield* atomically(Effect.as(write, "done")), "done")
          assert.deepStrictEqual(yield* seen, after)
        })
      ))

    it("lets the effect itself see what it wrote", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* everything
          assert.deepStrictEqual(yield* atomically(Effect.andThen(write, seen)), after)
        })
      ))

    it("undoes every write of an effect that fails, and hands over the error", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* everything
          const exit = yield* Effect.exit(atomically(Effect.andThen(write, Effect.fail("why"))))
          assert.deepStrictEqual(exit, Exit.fail("why"))
          assert.deepStrictEqual(yield* seen, before)
        })
      ))

    it("undoes every write of an effect that dies, and hands over the defect", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* everything
          const exit = yield* Effect.exit(atomically(Effect.andThen(write, Effect.die("bug"))))
          assert.deepStrictEqual(exit, Exit.die("bug"))
          assert.deepStrictEqual(yield* seen, before)
        })
      ))

    it("undoes every write of an effect that is interrupted", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* everything
          const written = yield* Deferred.make<void>()
          const fiber = yield* Effect.forkChild(
            atomically(
              write.pipe(
                Effect.andThen(Deferred.succeed(written, undefined)),
                Effect.andThen(Effect.never)
              )
            )
          )
          yield* Deferred.await(written)
          yield* Fiber.interrupt(fiber)
          assert.deepStrictEqual(yield* seen, before)
        })
      ))

    it("leaves reservations as they were, so that they can still be ended", () =>
      run(
        Effect.gen(function* () {
          const ledger = yield* LedgerStore
          const { limit, toRelease, toSettle, write } = yield* everything
          yield* Effect.exit(atomically(Effect.andThen(write, Effect.fail("why"))))
          yield* ledger.settle(toSettle, nano(9n))
          yield* ledger.release(toRelease)
          assert.deepStrictEqual(
            { ...(yield* ledger.usage(limit)) },
            { settled: nano(9n), reserved: nano(0n) }
          )
        })
      ))

    it("loses no reservation that lapses while an effect that fails is running", () =>
      run(
        Effect.gen(function* () {
          const ledger = yield* LedgerStore
          const limit = fresh.limit(100n)
          yield* reserve(limit, 10n)
          yield* TestClock.adjust(30_000)
          const open = yield* reserve(limit, 5n)
          yield* TestClock.adjust(31_000)
          const settleAndReserve = Effect.andThen(ledger.settle(open, nano(5n)), reserve(limit, 1n))
          yield* Effect.exit(atomically(Effect.andThen(settleAndReserve, Effect.fail("why"))))
          yield* ledger.release(open)
          // A store may look for lapsed reservations once a second.
          yield* TestClock.adjust(2_000)
          yield* ledger.release(yield* reserve(limit, 1n))
          assert.deepStrictEqual(
            { ...(yield* ledger.usage(limit)) },
            { settled: nano(10n), reserved: nano(0n) }
          )
        })
      ))

    it("joins a nested effect to the outer one, so that both are undone together", () =>
      run(
        Effect.gen(function* () {
          const { seen, write } = yield* everything
          yield* Effect.exit(atomically(Effect.andThen(atomically(write), Effect.fail("why"))))
          assert.deepStrictEqual(yield* seen, before)
        })
      ))

    it("undoes a nested effect alone when the outer one lives with its failure", () =>
      run(
        Effect.gen(function* () {
          const keys = yield* ApiKeyStore
          const { seen, write } = yield* everything
          const [first, last] = [key("first"), key("last")]
          const exit = yield* atomically(
            keys.put(first).pipe(
              Effect.andThen(Effect.exit(atomically(Effect.andThen(write, Effect.fail("why"))))),
              Effect.tap(() => keys.put(last))
            )
          )
          assert.deepStrictEqual(exit, Exit.fail("why"))
          assert.deepStrictEqual(yield* seen, before)
          assert.deepStrictEqual(yield* keys.findByHash(first.hash), first)
          assert.deepStrictEqual(yield* keys.findByHash(last.hash), last)
        })
      ))

    for (const [where, write] of [
      ["outside", take],
      ["in another atomic effect", (limit: Limit) => atomically(take(limit))]
    ] as const) {
      it(`lets a write ${where} count on what is kept`, () =>
        run(
          Effect.gen(function* () {
            assert.isTrue(Result.isFailure(yield* during(write, Effect.void)))
          })
        ))

      it(`lets a write ${where} count on what is undone`, () =>
        run(
          Effect.gen(function* () {
            assert.isTrue(Result.isSuccess(yield* during(write, Effect.fail("why"))))
          })
        ))
    }

    it("hides half-done writes from other atomic effects", () =>
      run(
        Effect.gen(function* () {
          const ledger = yield* LedgerStore
          const [first, second] = [fresh.account(), fresh.account()]
          const begun = yield* Deferred.make<void>()
          const writing = yield* Effect.forkChild(
            atomically(
              ledger
                .grant(first, nano(1n))
                .pipe(
                  Effect.andThen(Deferred.succeed(begun, undefined)),
                  Effect.andThen(aWhile),
                  Effect.andThen(ledger.grant(second, nano(1n)))
                )
            )
          )
          yield* Deferred.await(begun)
          const seen = yield* atomically(
            Effect.all({ first: ledger.granted(first), second: ledger.granted(second) })
          )
          yield* Fiber.join(writing)
          assert.isFalse(seen.first !== undefined && seen.second === undefined)
        })
      ))

    it("goes on after effects that failed, died, were interrupted or never got their turn", () =>
      run(
        Effect.gen(function* () {
          const keys = yield* ApiKeyStore
          const kept = key("kept")
          const never = key("never")
          const begun = yield* Deferred.make<void>()
          yield* Effect.exit(atomically(Effect.fail("why")))
          yield* Effect.exit(atomically(Effect.die("bug")))
          const open = yield* Effect.forkChild(
            atomically(
              keys
                .put(key("open"))
                .pipe(
                  Effect.andThen(Deferred.succeed(begun, undefined)),
                  Effect.andThen(Effect.never)
                )
            )
          )
          yield* Deferred.await(begun)
          const waiting = yield* Effect.forkChild(
            atomically(Effect.andThen(aWhile, keys.put(never)))
          )
          yield* Effect.yieldNow
          yield* Fiber.interrupt(waiting)
          yield* Fiber.interrupt(open)
          yield* atomically(keys.put(kept))
          assert.deepStrictEqual(yield* keys.findByHash(kept.hash), kept)
          assert.isUndefined(yield* keys.findByHash(never.hash))
        })
      ))
  })
}
