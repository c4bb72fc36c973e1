/** What every `AuditLog` must do. */
import {
  type AccountId,
  Atomically,
  type AuditEntry,
  AuditLog,
  LedgerStore,
  NanoUsd,
  UserId
} from "@signalbox/core"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fresh.ts"
import { runOn } from "./runOn.ts"

const smallest = (account: AccountId): AuditEntry => ({
  id: crypto.randomUUID(),
  account,
  at: 1_700_000_000_123,
  actor: {},
  action: "workspace.create",
  target: crypto.randomUUID()
})
const full = (account: AccountId): AuditEntry => ({
  ...smallest(account),
  actor: { keyHash: fresh.keyHash(), user: UserId.make("user_ä😀") },
  before: JSON.parse('{"name":"a","__proto__":{"deep":[null,1.5,false]},"constructor":"c"}'),
  after: [{ limit_usd: 0.1 }, null]
})
const all = { offset: 0, limit: 100 }

/** A change of another store, and the entry that tells of it. */
const change = Effect.fnUntraced(function* (entry: AuditEntry) {
  yield* LedgerStore.use((ledger) => ledger.grant(entry.account, NanoUsd.make(1n)))
  yield* AuditLog.use((log) => log.append(entry))
})
const seen = Effect.fnUntraced(function* (account: AccountId) {
  const { rows, total } = yield* AuditLog.use((log) => log.list(account, all))
  const granted = yield* LedgerStore.use((ledger) => ledger.granted(account))
  return { entries: rows.length, total, granted }
})

/**
 * Declares the tests in a vitest file: `AuditLogContract("postgres", layer)`. The layer has the port, the
 * transactions it takes part in and one more store. A log may forget old entries; it must keep the latest
 * of a handful.
 */
export const AuditLogContract = (
  implementation: string,
  layer: Layer.Layer<Atomically | AuditLog | LedgerStore, unknown>
): void => {
  const run = runOn(layer)
  describe(`AuditLog: ${implementation}`, () => {
    it("lists an entry exactly as it was appended, whatever it holds", () =>
      run(
        Effect.gen(function* () {
          const log = yield* AuditLog
          for (const make of [smallest, full]) {
            const entry = make(fresh.account())
            yield* log.append(entry)
            assert.deepStrictEqual(yield* log.list(entry.account, all), { rows: [entry], total: 1 })
          }
        })
      ))

    it("lists the newest first, page by page, those of one moment too", () =>
      run(
        Effect.gen(function* () {
          const log = yield* AuditLog
          const account = fresh.account()
          const entries = Array.from({ length: 5 }, () => full(account))
          for (const entry of entries) yield* log.append(entry)
          const newest = entries.toReversed()
          assert.deepStrictEqual(yield* log.list(account, { offset: 0, limit: 2 }), {
            rows: newest.slice(0, 2),
            total: 5
          })
          assert.deepStrictEqual(yield* log.list(account, { offset: 3, limit: 9 }), {
            rows: newest.slice(3),
            total: 5
          })
          assert.deepStrictEqual(yield* log.list(account, { offset: 5, limit: 1 }), {
            rows: [],
            total: 5
          })
        })
      ))

    it("shows an account its own entries only", () =>
      run(
        Effect.gen(function* () {
          const log = yield* AuditLog
          const [mine, another] = [full(fresh.account()), full(fresh.account())]
          yield* log.append(mine)
          yield* log.append(another)
          assert.deepStrictEqual((yield* log.list(mine.account, all)).rows, [mine])
          assert.deepStrictEqual((yield* log.list(fresh.account(), all)).rows, [])
        })
      ))

    it("keeps an entry with the change it tells of", () =>
      run(
        Effect.gen(function* () {
          const { atomically } = yield* Atomically
          const entry = full(fresh.account())
          yield* atomically(change(entry))
          assert.deepStrictEqual(yield* seen(entry.account), {
            entries: 1,
            total: 1,
            granted: NanoUsd.make(1n)
          })
        })
      ))

    it.each([
      ["fails", Effect.fail("no")],
      ["dies", Effect.die("no")],
      ["is interrupted", Effect.interrupt]
    ])("keeps neither when what both belong to %s", (_, ending) =>
      run(
        Effect.gen(function* () {
          const { atomically } = yield* Atomically
          const entry = full(fresh.account())
          yield* Effect.exit(atomically(Effect.andThen(change(entry), ending)))
          assert.deepStrictEqual(yield* seen(entry.account), {
            entries: 0,
            total: 0,
            granted: undefined
          })
        })
      )
    )

    it("keeps every one of many entries appended at once", () =>
      run(
        Effect.gen(function* () {
          const { atomically } = yield* Atomically
          const account = fresh.account()
          const entries = Array.from({ length: 20 }, () => full(account))
          yield* Effect.forEach(entries, (entry) => atomically(change(entry)), {
            concurrency: "unbounded"
          })
          const { entries: kept, granted } = yield* seen(account)
          assert.deepStrictEqual([kept, granted], [20, NanoUsd.make(20n)])
        })
      ))
  })
}
