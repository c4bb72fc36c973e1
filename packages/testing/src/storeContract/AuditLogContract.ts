/** A test suite for implementations of `AuditLog`. */
import {
  type AccountId,
  Transaction,
  type AuditEntry,
  AuditLog,
  LedgerStore,
  NanoUsd,
  UserId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

const minimalEntry = (account: AccountId): AuditEntry => ({
  id: crypto.randomUUID(),
  account,
  at: 1_700_000_000_123,
  actor: {},
  action: "workspace.create",
  target: crypto.randomUUID()
})
const fullEntry = (account: AccountId): AuditEntry => ({
  ...minimalEntry(account),
  actor: { keyHash: fresh.makeKeyHash(), user: UserId.make("user_ä😀") },
  before: JSON.parse('{"name":"a","__proto__":{"deep":[null,1.5,false]},"constructor":"c"}'),
  after: [{ limit_usd: 0.1 }, null]
})
const firstPage = { limit: 100 }

/** A change in another store, and its audit entry. */
const recordChange = Effect.fnUntraced(function* (entry: AuditEntry) {
  yield* LedgerStore.use((ledger) => ledger.grant(entry.account, NanoUsd.make(1n)))
  yield* AuditLog.use((log) => log.append(entry))
})
const readLog = Effect.fnUntraced(function* (account: AccountId) {
  const { rows } = yield* AuditLog.use((log) => log.list(account, firstPage))
  const granted = yield* LedgerStore.use((ledger) => ledger.findGrantedCredits(account))
  return { entries: rows.length, granted }
})

/**
 * Declares the tests in a vitest file: `AuditLogContract("postgres", layer)`. The layer has the
 * port, its transactions and one more store. A log may purge old entries, but must keep the latest
 * few.
 */
export const AuditLogContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | AuditLog | LedgerStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`AuditLog: ${implementation}`, () => {
    it("lists an entry with any content exactly as it was appended", () =>
      run(
        Effect.gen(function* () {
          const log = yield* AuditLog
          for (const make of [minimalEntry, fullEntry]) {
            const entry = make(fresh.makeAccountId())
            yield* log.append(entry)
            assert.deepStrictEqual(yield* log.list(entry.account, firstPage), { rows: [entry] })
          }
        })
      ))

    it("lists entries newest first in pages, including entries of the same time", () =>
      run(
        Effect.gen(function* () {
          const log = yield* AuditLog
          const account = fresh.makeAccountId()
          const entries = Array.from({ length: 5 }, () => fullEntry(account))
          for (const entry of entries) yield* log.append(entry)
          const newest = entries.toReversed()
          const first = yield* log.list(account, { limit: 2 })
          assert.deepStrictEqual(first.rows, newest.slice(0, 2))
          const second = yield* log.list(account, { limit: 2, after: first.nextCursor! })
          assert.deepStrictEqual(second.rows, newest.slice(2, 4))
          const last = yield* log.list(account, { limit: 2, after: second.nextCursor! })
          assert.deepStrictEqual(last, { rows: newest.slice(4) })
          assert.deepStrictEqual(yield* log.list(account, { limit: 5 }), { rows: newest })
        })
      ))

    it("neither repeats nor skips entries when new ones arrive between two pages", () =>
      run(
        Effect.gen(function* () {
          const log = yield* AuditLog
          const account = fresh.makeAccountId()
          const entries = Array.from({ length: 5 }, () => fullEntry(account))
          for (const entry of entries) yield* log.append(entry)
          const first = yield* log.list(account, { limit: 2 })
          for (let more = 0; more < 3; more++) yield* log.append(fullEntry(account))
          const rest = yield* log.list(account, { limit: 100, after: first.nextCursor! })
          assert.deepStrictEqual([...first.rows, ...rest.rows], entries.toReversed())
        })
      ))

    it("lists only the entries of the account", () =>
      run(
        Effect.gen(function* () {
          const log = yield* AuditLog
          const [mine, another] = [
            fullEntry(fresh.makeAccountId()),
            fullEntry(fresh.makeAccountId())
          ]
          yield* log.append(mine)
          yield* log.append(another)
          assert.deepStrictEqual((yield* log.list(mine.account, firstPage)).rows, [mine])
          assert.deepStrictEqual((yield* log.list(fresh.makeAccountId(), firstPage)).rows, [])
          yield* log.append(fullEntry(mine.account))
          const { nextCursor } = yield* log.list(mine.account, { limit: 1 })
          const shown = yield* log.list(another.account, { limit: 100, after: nextCursor! })
          assert.isEmpty(shown.rows.filter(({ account }) => account !== another.account))
        })
      ))

    it("stores an entry with the change that it records", () =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          const entry = fullEntry(fresh.makeAccountId())
          yield* withTransaction(recordChange(entry))
          assert.deepStrictEqual(yield* readLog(entry.account), {
            entries: 1,
            granted: NanoUsd.make(1n)
          })
        })
      ))

    it.each([
      ["fails", Effect.fail("no")],
      ["dies", Effect.die("no")],
      ["is interrupted", Effect.interrupt]
    ])("stores neither the entry nor the change if their transaction %s", (_, ending) =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          const entry = fullEntry(fresh.makeAccountId())
          yield* Effect.exit(withTransaction(Effect.andThen(recordChange(entry), ending)))
          assert.deepStrictEqual(yield* readLog(entry.account), {
            entries: 0,
            granted: undefined
          })
        })
      )
    )

    it("keeps all of many entries appended concurrently", () =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          const account = fresh.makeAccountId()
          const entries = Array.from({ length: 20 }, () => fullEntry(account))
          yield* Effect.forEach(entries, (entry) => withTransaction(recordChange(entry)), {
            concurrency: "unbounded"
          })
          const { entries: kept, granted } = yield* readLog(account)
          assert.deepStrictEqual([kept, granted], [20, NanoUsd.make(20n)])
        })
      ))
  })
}
