import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { LedgerStore } from "../../../../src/engine/ledger/LedgerStore.ts"
import { MemoryJournal, memoryTransaction } from "../../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../../src/engine/observability/audit/Audit.ts"
import { AuditLog } from "../../../../src/engine/observability/audit/AuditLog.ts"
import { AccountId, KeyHash, UserId } from "../../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../../src/values/usage/NanoUsd.ts"
import { memoryAuditLog } from "../../../../src/memory/memoryAuditLog.ts"
import { memoryLedgerStore } from "../../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../../src/memory/memorySpendCounters.ts"

const account = AccountId.make("acme")
const keyHash = KeyHash.make("0".repeat(64))
const granting = LedgerStore.use((store) => store.grant(account, nano(1n)))
const granted = LedgerStore.use((store) => store.findGrantedCredits(account))
const entries = AuditLog.use((log) => log.list(account, { limit: 10 }))

/** An instance, with a given log or its own. */
const world = (log: Layer.Layer<AuditLog, never, MemoryJournal> = memoryAuditLog) =>
  Audit.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(log, memoryLedgerStore, memoryTransaction)),
    Layer.provide([MemoryJournal.layer, Layer.provide(memorySpendCounters, MemoryJournal.layer)])
  )
const broken = Layer.mock(AuditLog, { append: () => Effect.die("no room") })

describe("Audit", () => {
  it.effect("records a change with its actor", () =>
    Effect.gen(function* () {
      const audit = yield* Audit
      const actor = { account, keyHash, user: UserId.make("ada") }
      const change = { result: 7, target: "x", before: null, after: { name: "n" } }
      assert.strictEqual(yield* audit.change(actor, "thing.update", Effect.succeed(change)), 7)
      const { rows } = yield* entries
      assert.lengthOf(rows, 1)
      const { id, ...entry } = rows[0]!
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual(entry, {
        account,
        at: 0,
        actor: { keyHash, user: UserId.make("ada") },
        action: "thing.update",
        target: "x",
        before: null,
        after: { name: "n" }
      })
    }).pipe(Effect.provide(world()))
  )

  it.effect("truncates states of any size", () =>
    Effect.gen(function* () {
      const audit = yield* Audit
      const large = { name: "n", models: "x".repeat(1_000_000) }
      const change = { result: 7, target: "x", before: large, after: [large] }
      yield* audit.change({ account }, "thing.update", Effect.succeed(change))
      const [entry] = (yield* entries).rows
      assert.deepStrictEqual(entry?.before, { name: "n", models: "(1000002 bytes left out)" })
      assert.deepStrictEqual(entry?.after, ["(1 more left out)"])
    }).pipe(Effect.provide(world()))
  )

  it.effect("records nothing for a change without effect", () =>
    Effect.gen(function* () {
      const audit = yield* Audit
      const change = Effect.succeed({ result: 7, target: undefined })
      assert.strictEqual(yield* audit.change({ account }, "thing.delete", change), 7)
      assert.deepStrictEqual((yield* entries).rows, [])
    }).pipe(Effect.provide(world()))
  )

  it.effect("rolls back a change that fails later, with its record", () =>
    Effect.gen(function* () {
      const audit = yield* Audit
      const failing = Effect.andThen(granting, Effect.fail("no"))
      const failure = yield* Effect.flip(audit.change({ account }, "thing.create", failing))
      assert.strictEqual(failure, "no")
      assert.isUndefined(yield* granted)
      assert.deepStrictEqual((yield* entries).rows, [])
    }).pipe(Effect.provide(world()))
  )

  it.effect("rolls back a change that cannot be recorded", () =>
    Effect.gen(function* () {
      const audit = yield* Audit
      const change = Effect.as(granting, { result: undefined, target: "x" })
      const exit = yield* Effect.exit(audit.change({ account }, "thing.create", change))
      assert.isTrue(Exit.isFailure(exit))
      assert.isUndefined(yield* granted)
    }).pipe(Effect.provide(world(broken)))
  )
})
