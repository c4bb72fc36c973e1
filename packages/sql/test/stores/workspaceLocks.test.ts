/** On Postgres many transactions share the lock on a workspace, and its removal waits for all of them. */
import { AccountId } from "@signalbox/core"
import type { Workspace } from "@signalbox/core/stores"
import { Transaction, WorkspaceStore } from "@signalbox/core/stores"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import { assert, describe, it } from "vitest"
import { postgres } from "../../src/index.ts"
import { newSchema } from "../databases.ts"

const account = AccountId.make("default")

const workspace: Workspace = {
  id: crypto.randomUUID(),
  name: "W",
  slug: "w",
  description: null,
  default_image_model: null,
  default_text_model: null,
  default_provider_sort: null,
  io_logging_api_key_ids: null,
  io_logging_sampling_rate: 1,
  is_data_discount_logging_enabled: false,
  is_observability_broadcast_enabled: false,
  is_observability_io_logging_enabled: false,
  created_by: "",
  default_guardrail_id: crypto.randomUUID(),
  created_at: "2030-01-02T03:04:05.678Z",
  updated_at: "2030-01-02T03:04:05.678Z",
  include_byok_in_budgets: false
}

/** Locks the workspace in a transaction that lasts until `end`. */
const lockWorkspace = Effect.fnUntraced(function* (end: Effect.Effect<void>) {
  const { withTransaction } = yield* Transaction
  const store = yield* WorkspaceStore
  const locked = yield* Deferred.make<Workspace | undefined>()
  yield* Effect.forkChild(
    withTransaction(
      store.findForUpdate(account, workspace.id).pipe(
        Effect.flatMap((found) => Deferred.succeed(locked, found)),
        Effect.andThen(end)
      )
    ),
    { startImmediately: true }
  )
  return yield* Deferred.await(locked)
})

const untilLockAwaited = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.repeat(
    sql`SELECT 1 FROM pg_locks WHERE NOT granted AND (classid::bigint << 32 | objid::bigint)
      = hashtextextended(${JSON.stringify(["workspace", account, workspace.id])}, 0)`,
    { until: (rows) => rows.length > 0 }
  )
})

describe("a workspace on Postgres", () => {
  it("can be locked by several transactions at once", () =>
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      yield* store.insert(account, workspace)
      const end = yield* Deferred.make<void>()
      assert.deepStrictEqual(yield* lockWorkspace(Deferred.await(end)), workspace)
      assert.deepStrictEqual(yield* lockWorkspace(Deferred.await(end)), workspace)
      yield* Deferred.succeed(end, undefined)
    }).pipe(Effect.scoped, Effect.provide(postgres(newSchema())), Effect.runPromise))

  it("is removed once earlier locks are released, even if later ones wait", () =>
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      yield* store.insert(account, workspace)
      const end = yield* Deferred.make<void>()
      assert.deepStrictEqual(yield* lockWorkspace(Deferred.await(end)), workspace)
      const removing = yield* Effect.forkChild(store.remove(account, workspace.id))
      yield* untilLockAwaited
      const late = yield* Effect.forkChild(lockWorkspace(Effect.void))
      assert.isUndefined(removing.pollUnsafe())
      yield* Deferred.succeed(end, undefined)
      assert.deepStrictEqual(yield* Fiber.join(removing), workspace)
      assert.isUndefined(yield* Fiber.join(late))
    }).pipe(Effect.scoped, Effect.provide(postgres(newSchema())), Effect.runPromise))
})
