/** What the version before acting users wrote keeps its meaning. */
import {
  defaultAccountId,
  defaultWorkspaceId,
  encodeRollup,
  GenerationId,
  GenerationStore,
  type Measures,
  NanoUsd,
  RollupStore
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

const startedAt = 1_790_000_000_000
const minute = Math.floor(startedAt / 60_000) * 60_000
const account = defaultAccountId

const measures: Measures = {
  requests: 1,
  errors: 0,
  byok: 0,
  unpriced: 0,
  inputTokens: 1,
  outputTokens: 1,
  cachedTokens: 0,
  reasoningTokens: 0,
  characters: 0,
  audioMillis: 0,
  outputImages: 0,
  cost: NanoUsd.make(7n),
  upstreamCost: NanoUsd.zero,
  cacheHits: 0,
  cacheMisses: 0,
  saved: NanoUsd.zero,
  latency: { count: 0, first: 0, counts: [] },
  firstEvent: { count: 0, first: 0, counts: [] }
}

const record = {
  account,
  workspace: defaultWorkspaceId,
  operation: "decisions",
  startedAt,
  latencyMillis: 1,
  requestedModel: "a/b",
  attempts: [],
  configuration: 1,
  rejected: [],
  demoted: []
} as const

/** As that version wrote them: `user` is the word of the request, `askedBy` who asked for a calibrated Decision. */
const writeOld = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columns = { account, started_at: startedAt, workspace: record.workspace, model: "a/b" }
  for (const [id, users] of Object.entries({
    "gen-said": { user: "somebody" },
    "gen-asked": { user: "somebody", askedBy: "ada" },
    "gen-none": {}
  })) {
    yield* sql`INSERT INTO generations ${sql.insert({
      ...columns,
      id,
      operation: record.operation,
      outcome: "answered",
      user_id: "user" in users ? users.user : null,
      document: JSON.stringify({ id, ...record, ...users })
    })}`
  }
  const document = encodeRollup({ values: new Map([["somebody", measures]]) })
  const row = { account, dimension: "user", started_at: minute, document }
  for (const resolution of ["minute", "hour", "day"]) {
    yield* sql`INSERT INTO rollups ${sql.insert({ ...row, resolution })}`
  }
  yield* sql`INSERT INTO rollup_deltas ${sql.insert({ ...row, opened_at: startedAt })}`
})

const stores = generationStore.pipe(Layer.provideMerge(rollupStore))

describe.each(["SQLite", "Postgres"] as const)(
  "records of the version before, on %s",
  (database) => {
    it("have the user of their request as their external user, in lists and figures too", async () => {
      const before = Object.fromEntries(
        Object.entries(migrations).filter(([name]) => Number.parseInt(name, 10) < 21)
      )
      const program = Effect.gen(function* () {
        yield* migrate(before)
        yield* writeOld
        yield* migrate()
        return yield* Effect.provide(
          Effect.gen(function* () {
            const generations = yield* GenerationStore
            const rollups = yield* RollupStore
            const listIds = (filter: { readonly externalUser?: string; readonly user?: string }) =>
              Effect.map(generations.list({ account, ...filter }, { limit: 9 }), ({ rows }) =>
                rows.map(({ id }) => id).toSorted()
              )
            const said = yield* generations.find(account, GenerationId.make("gen-said"))
            const asked = yield* generations.find(account, GenerationId.make("gen-asked"))
            assert.deepStrictEqual([said?.user, said?.externalUser], [undefined, "somebody"])
            assert.deepStrictEqual([asked?.user, asked?.externalUser], ["ada", "somebody"])
            assert.deepStrictEqual(yield* listIds({ externalUser: "somebody" }), [
              "gen-asked",
              "gen-said"
            ])
            assert.deepStrictEqual(yield* listIds({ user: "somebody" }), [])
            const id = GenerationId.make("gen-new")
            yield* generations.record([{ ...record, id, user: "ada", externalUser: "somebody" }])
            assert.deepStrictEqual(yield* listIds({ user: "ada" }), ["gen-new"])
            const count = (dimension: "external_user" | "user", value: string) =>
              Effect.map(
                rollups.list({ account, resolution: "day", dimension, from: 0, to: 2 * startedAt }),
                (buckets) =>
                  buckets.reduce((sum, { values }) => sum + (values.get(value)?.requests ?? 0), 0)
              )
            assert.strictEqual(yield* count("external_user", "somebody"), 3)
            assert.strictEqual(yield* count("user", "somebody"), 0)
            assert.strictEqual(yield* count("user", "ada"), 1)
          }),
          stores
        )
      })
      await Effect.runPromise(Effect.provide(program, Layer.fresh(emptyDatabase[database]())))
    })
  }
)
