import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { Transaction } from "../../../src/instance/Transaction.ts"
import { toWorkspaceResponse } from "../../../src/api/workspaces/WorkspacesApi.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import { AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import { defaultAccountId } from "../../../src/values/ids/Ids.ts"
import { WorkspacePatch } from "../../../src/tenants/workspaces/WorkspaceFields.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import { WorkspaceStore } from "../../../src/tenants/workspaces/WorkspaceStore.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryWorkspaceStore } from "../../../src/memory/memoryWorkspaceStore.ts"

const testLayer = Workspaces.layer.pipe(
  Layer.provide(Audit.layer),
  Layer.provideMerge(Layer.mergeAll(memoryTransaction, memoryAuditLog, memoryWorkspaceStore)),
  Layer.provide(MemoryJournal.layer)
)
const actor = { account: defaultAccountId }

const entries = AuditLog.use((log) =>
  Effect.map(log.list(defaultAccountId, { limit: 100 }), ({ rows }) =>
    rows.map(({ action, after, before, target }) => ({ action, target, before, after }))
  )
)

describe("the audit log of a workspace", () => {
  it.effect("has the previous state of a budget, also of its first write", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { id } = yield* workspaces.create(actor, { name: "Lab", slug: "lab" })
      const set = workspaces.putBudget(actor, "lab", "daily", { limit_usd: 5 })
      const made = yield* set
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(yield* set, made)
      const raised = yield* workspaces.putBudget(actor, "lab", "daily", {
        limit_usd: 7,
        include_byok_in_budgets: true
      })
      const monthly = yield* workspaces.putBudget(actor, "lab", "monthly", { limit_usd: 9 })
      yield* workspaces.removeBudget(actor, "lab", "monthly")
      const put = { action: "workspace.budget.put", target: id }
      assert.deepStrictEqual((yield* entries).slice(0, -1), [
        { action: "workspace.budget.delete", target: id, before: monthly, after: undefined },
        {
          ...put,
          before: { include_byok_in_budgets: true },
          after: { ...monthly, include_byok_in_budgets: true }
        },
        {
          ...put,
          before: { ...made, include_byok_in_budgets: false },
          after: { ...raised, include_byok_in_budgets: true }
        },
        {
          ...put,
          before: { include_byok_in_budgets: false },
          after: { ...made, include_byok_in_budgets: false }
        }
      ])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("has no entry for an update with the values of the response", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const made = yield* workspaces.create(actor, { name: "Lab", slug: "lab" })
      yield* TestClock.adjust(1_000)
      const patch = yield* Schema.decodeUnknownEffect(WorkspacePatch)(toWorkspaceResponse(made))
      assert.deepStrictEqual(yield* workspaces.update(actor, made.id, patch), made)
      assert.strictEqual((yield* entries).length, 1)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("has no entry for a daily budget that is not below the monthly one", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { id } = yield* workspaces.create(actor, { name: "Lab", slug: "lab" })
      yield* workspaces.putBudget(actor, id, "monthly", { limit_usd: 5 })
      const before = yield* workspaces.getBudgets(actor, id)
      const put = workspaces.putBudget(actor, id, "daily", {
        limit_usd: 5,
        include_byok_in_budgets: true
      })
      assert.deepInclude(yield* Effect.flip(put), { _tag: "InvalidRequest", path: ["limit_usd"] })
      assert.deepStrictEqual(yield* workspaces.getBudgets(actor, id), before)
      assert.strictEqual((yield* entries).length, 2)
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("has no budget of a concurrently deleted workspace", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const store = yield* WorkspaceStore
      const { withTransaction } = yield* Transaction
      const { id } = yield* workspaces.create(actor, { name: "Lab", slug: "lab" })
      const leaving = yield* Deferred.make<void>()
      const removing = yield* Effect.forkChild(
        withTransaction(Effect.andThen(Deferred.await(leaving), store.remove(actor.account, id)))
      )
      yield* Effect.yieldNow
      const putting = yield* Effect.forkChild(
        Effect.flip(workspaces.putBudget(actor, id, "daily", { limit_usd: 5 }))
      )
      yield* Effect.yieldNow
      yield* Deferred.succeed(leaving, undefined)
      yield* Fiber.join(removing)
      assert.strictEqual((yield* Fiber.join(putting))._tag, "ResourceNotFound")
      assert.deepStrictEqual(yield* store.budgets(actor.account, id), [])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("names only actual members as removed", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { id } = yield* workspaces.create(actor, { name: "Lab", slug: "lab" })
      const members = yield* workspaces.addMembers(actor, "lab", ["ada", "ben", "eve"])
      const removed = yield* workspaces.removeMembers(actor, "lab", ["nobody", "eve", "ada", "eve"])
      assert.strictEqual(removed, 2)
      assert.strictEqual(yield* workspaces.removeMembers(actor, "lab", ["nobody"]), 0)
      const [ada, , eve] = members
      assert.deepStrictEqual((yield* entries).slice(0, -1), [
        {
          action: "workspace.members.remove",
          target: id,
          before: [eve, ada],
          after: undefined
        },
        { action: "workspace.members.add", target: id, before: undefined, after: members }
      ])
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("does not use the state of a rolled-back change as the previous state", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { withTransaction } = yield* Transaction
      const made = yield* workspaces.create(actor, { name: "Lab", slug: "lab" })
      const given = yield* Deferred.make<void>()
      const undone = yield* Effect.forkChild(
        Effect.exit(
          withTransaction(
            Effect.gen(function* () {
              yield* workspaces.update(actor, "lab", { name: "never kept" })
              yield* Deferred.await(given)
              return yield* Effect.fail("no")
            })
          )
        )
      )
      yield* Effect.yieldNow
      const kept = yield* Effect.forkChild(workspaces.update(actor, "lab", { name: "Laboratory" }))
      yield* Effect.yieldNow
      yield* Deferred.succeed(given, undefined)
      yield* Fiber.join(undone)
      const after = yield* Fiber.join(kept)
      assert.deepStrictEqual((yield* entries)[0], {
        action: "workspace.update",
        target: made.id,
        before: made,
        after
      })
    }).pipe(Effect.provide(testLayer))
  )

  it.effect("does not record a change without effect, or update the time of the last change", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const made = yield* workspaces.create(actor, { name: "Lab", slug: "lab" })
      yield* TestClock.adjust(1_000)
      for (const patch of [{}, { name: "Lab", description: null, io_logging_api_key_ids: null }]) {
        assert.deepStrictEqual(yield* workspaces.update(actor, "lab", patch), made)
      }
      const [first, ...others] = yield* entries
      assert.strictEqual(first?.action, "workspace.create")
      assert.deepStrictEqual(others, [])
    }).pipe(Effect.provide(testLayer))
  )
})
