/** Records of the version before are found by their tags as well. */
import {
  AccountId,
  type Generation,
  GenerationId,
  GenerationStore,
  defaultWorkspaceId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { assert, describe, it } from "vitest"
import { migrations } from "../../src/domains.ts"
import { migrate } from "../../src/migrations/migrate.ts"
import { generationStore } from "../../src/stores/generationStore.ts"
import { rollupStore } from "../../src/stores/rollupStore.ts"
import { emptyDatabase } from "../databases.ts"

const account = AccountId.make("account")
const other = AccountId.make("another account")

const make = (id: string, startedAt: number, fields: Partial<Generation> = {}): Generation => ({
  id: GenerationId.make(id),
  account,
  workspace: defaultWorkspaceId,
  operation: "decisions",
  startedAt,
  latencyMillis: 1,
  requestedModel: "a/b",
  attempts: [],
  configuration: 1,
  rejected: [],
  demoted: [],
  ...fields
})

const acme = { tags: { customer: 'ac"me', team: "blue" } }

/** As that version wrote them. */
const writeOld = Effect.fnUntraced(function* (record: Generation) {
  const sql = yield* SqlClient
  yield* sql`INSERT INTO generations ${sql.insert({
    id: record.id,
    account: record.account,
    started_at: record.startedAt,
    workspace: record.workspace,
    model: record.requestedModel,
    operation: record.operation,
    outcome: "answered",
    document: JSON.stringify(record)
  })}`
})

const stores = generationStore.pipe(Layer.provideMerge(rollupStore))

describe.each(["SQLite", "Postgres"] as const)("tags of records, on %s", (database) => {
  it("find those of the version before and those since, in order and of the account alone", async () => {
    const before = Object.fromEntries(
      Object.entries(migrations).filter(([name]) => Number.parseInt(name, 10) < 38)
    )
    const program = Effect.gen(function* () {
      yield* migrate(before)
      yield* writeOld(make("old-1", 1, acme))
      yield* writeOld(make("old-none", 2))
      yield* migrate()
      // A process of the version before still runs.
      yield* writeOld(make("old-2", 5, acme))
      const store = yield* GenerationStore
      yield* store.record([
        make("new-1", 3, acme),
        make("new-none", 4),
        make("new-3", 6, { tags: { customer: "ac" } }),
        make("new-other", 7, { ...acme, account: other })
      ])
      const listIds = (key: string, value: string, limit = 9) =>
        Effect.map(store.list({ account, tag: { key, value } }, { limit }), ({ next, rows }) => [
          ...rows.map(({ id }) => id),
          ...(next === undefined ? [] : ["…"])
        ])
      assert.deepStrictEqual(yield* listIds("customer", 'ac"me'), ["old-2", "new-1", "old-1"])
      assert.deepStrictEqual(yield* listIds("team", "blue", 2), ["old-2", "new-1", "…"])
      assert.deepStrictEqual(yield* listIds("customer", "ac"), ["new-3"])
      assert.deepStrictEqual(yield* listIds("customer", "none"), [])
      // Written again, as a retry does, with other tags.
      yield* store.record([make("new-1", 3, { tags: { customer: "none" } })])
      assert.deepStrictEqual(yield* listIds("customer", "none"), ["new-1"])
      assert.deepStrictEqual(yield* listIds("customer", 'ac"me'), ["old-2", "old-1"])
    })
    await Effect.runPromise(
      Effect.provide(
        program,
        Layer.provideMerge(Layer.fresh(stores), Layer.fresh(emptyDatabase[database]()))
      )
    )
  })
})
