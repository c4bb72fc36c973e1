import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { SafeIntegers, SqlClient } from "effect/sql/SqlClient"
import { assert, describe, it } from "vitest"
import { NanoUsd } from "@signalbox/core"
import { LedgerStore } from "@signalbox/core/stores"
import { ledgerStore } from "../../src/stores/ledgerStore.ts"
import { migrate } from "../../src/migrations/migrate.ts"
import { migrations } from "../../src/domains.ts"
import type { Migration } from "../../src/migrations/Migration.ts"
import { emptyDatabase } from "../databases.ts"
import { hashMigrations } from "./hashMigrations.ts"

const next: Readonly<Record<string, Migration>> = {
  ...migrations,
  "900_one": () => ["CREATE TABLE one (a integer)"],
  "901_two": () => ["CREATE TABLE two (a integer)", "INSERT INTO two (a) VALUES (1)"]
}
const broken: Readonly<Record<string, Migration>> = {
  ...next,
  "902_three": () => ["CREATE TABLE three (a integer)", "INSERT INTO nowhere (a) VALUES (1)"]
}

const hasTable = (name: "one" | "three" | "workspaces") =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.match(sql`SELECT 1 FROM ${sql(name)} LIMIT 1`, {
      onSuccess: () => true,
      onFailure: () => false
    })
  )

type CounterRow = Readonly<Record<"reserved" | "settled", bigint | number>>

const end = (id: string, amount: bigint) =>
  Effect.provide(
    LedgerStore.use((store) => store.settle(id, NanoUsd.make(amount))),
    ledgerStore
  )

describe("the migrations", () => {
  it("match their recorded hashes", () => {
    // If you changed a released migration, restore it and add another. If you added one, run `npm run migrations`.
    const recorded = readFileSync(join(import.meta.dirname, "../../migrations.json"), "utf8")
    assert.deepStrictEqual(hashMigrations(migrations), JSON.parse(recorded))
  })

  it("have increasing numbers", () => {
    const numbers = Object.keys(migrations).map((name) => Number.parseInt(name, 10))
    assert.deepStrictEqual(
      numbers,
      Array.from(new Set(numbers)).toSorted((one, other) => one - other)
    )
  })
})

describe.each(["SQLite", "Postgres"] as const)("migrating %s", (database) => {
  /** Each run opens its own connection to one empty database. */
  const connections = () => {
    const client = emptyDatabase[database]()
    return <A, E>(effect: Effect.Effect<A, E, SqlClient>) =>
      Effect.runPromise(Effect.provide(effect, Layer.fresh(client)))
  }

  it("runs missing migrations once and in order", async () => {
    const run = connections()
    assert.deepStrictEqual(await run(migrate()), Object.keys(migrations))
    assert.deepStrictEqual(await run(migrate()), [])
    assert.deepStrictEqual(await run(migrate(next)), ["900_one", "901_two"])
    assert.deepStrictEqual(await run(migrate(next)), [])
  })

  it("keeps earlier workspaces, which are not those of customers", async () => {
    const run = connections()
    const names = Object.keys(migrations)
    const at = names.findIndex((name) => name.endsWith("_customers"))
    await run(migrate(Object.fromEntries(Object.entries(migrations).slice(0, at))))
    const document = JSON.stringify({ id: "w", slug: "lab" })
    const rows = await run(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`INSERT INTO workspaces ${sql.insert({ account: "a", id: "w", slug: "lab", document })}`
        assert.deepStrictEqual(yield* migrate(), names.slice(at))
        return yield* sql`SELECT slug, bundle, document FROM workspaces`
      })
    )
    assert.deepStrictEqual({ ...rows[0] }, { slug: "lab", bundle: null, document })
  })

  it("resets sums that absurd costs of an upstream have made unreadable", async () => {
    const run = connections()
    const before = Object.fromEntries(
      Object.entries(migrations).filter(([name]) => Number.parseInt(name, 10) < 12)
    )
    await run(migrate(before))
    const { intact, overflowed } = await run(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const subject of ["overflowed", "intact"]) {
          yield* sql`INSERT INTO spend ${sql.insert({
            subject,
            span: "lifetime",
            began_at: 0,
            credits: 7n,
            byok: 9n
          })}`
        }
        // On SQLite the sum of two of these exceeds 64 bits and becomes a floating-point number.
        const absurd = 6_000_000_000_000_000_000n
        yield* sql`UPDATE spend SET credits = ${absurd} WHERE subject = 'overflowed'`
        if (database === "SQLite") {
          yield* sql`UPDATE spend SET credits = credits + ${absurd} WHERE subject = 'overflowed'`
          const [row] = yield* sql`SELECT typeof(credits) AS type FROM spend
            WHERE subject = 'overflowed'`
          assert.deepStrictEqual({ ...row }, { type: "real" })
        }
        yield* migrate(migrations)
        const rows = yield* Effect.provideService(
          sql<{ subject: string; credits: bigint; byok: bigint }>`
            SELECT subject, credits, byok FROM spend`,
          SafeIntegers,
          true
        )
        return Object.fromEntries(
          rows.map(({ byok, credits, subject }) => [subject, [credits, byok]])
        )
      })
    )
    assert.deepStrictEqual(overflowed, [0n, 9n])
    assert.deepStrictEqual(intact, [7n, 9n])
  })

  it("to batches of reservations keeps those of before, and lets the version before go on or come back", async () => {
    const run = connections()
    const names = Object.keys(migrations)
    const at = names.findIndex((name) => name.endsWith("_ledger_batches"))
    const before = upTo(at)
    const after = upTo(at + 1)
    const limits = [{ counterKey: "k", cap: "10", endsAt: null }]
    /** As the version before reserves and settles. */
    const reserveBefore = Effect.fnUntraced(function* (id: string) {
      const sql = yield* SqlClient
      yield* sql.onDialectOrElse({
        pg: () =>
          sql`SELECT limit_index FROM ledger_reserve(${id}, 4, 0, 9000000000000, ${JSON.stringify(limits)})`,
        orElse: () =>
          Effect.andThen(
            sql`INSERT INTO limit_counters VALUES ('k', 0, 4, NULL)
              ON CONFLICT (counter_key) DO UPDATE SET reserved = reserved + 4`,
            sql`INSERT INTO reservations VALUES (${id}, 4, 9000000000000, ${JSON.stringify(limits)})`
          )
      })
    })
    const readCounter = Effect.flatMap(SqlClient, (sql) =>
      Effect.map(sql<CounterRow>`SELECT settled, reserved FROM limit_counters`, ([row]) => [
        Number(row?.settled),
        Number(row?.reserved)
      ])
    )
    await run(migrate(before))
    await run(reserveBefore("first"))
    assert.deepStrictEqual(await run(migrate(after)), names.slice(at, at + 1))
    await run(end("first", 3n))
    assert.deepStrictEqual(await run(readCounter), [3, 0])
    // A process of the version before still runs.
    await run(reserveBefore("second"))
    await run(end("second", 1n))
    // Back to that version: nothing of the schema that it knows has changed.
    await run(
      Effect.flatMap(
        SqlClient,
        (sql) => sql`DELETE FROM signalbox_migrations WHERE migration_id > ${at}`
      )
    )
    assert.deepStrictEqual(await run(migrate(before)), [])
    await run(reserveBefore("third"))
    assert.deepStrictEqual(await run(readCounter), [4, 4])
    assert.deepStrictEqual(await run(migrate(after)), names.slice(at, at + 1))
    await run(end("third", 2n))
    assert.deepStrictEqual(await run(readCounter), [6, 0])
  })

  it("goes back from 37 to 28 as the guide says, and forward again", async () => {
    const run = connections()
    await run(migrate(upTo(37)))
    await run(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        // SQLite keeps the index that Postgres drops with its column.
        yield* sql.onDialectOrElse({
          pg: () => Effect.void,
          orElse: () => sql`DROP INDEX generations_by_preset`
        })
        for (const column of ["preset", "latency", "cost", "tokens"]) {
          yield* sql`ALTER TABLE generations DROP COLUMN ${sql(column)}`
        }
        yield* sql`DROP TABLE traffic_controls`
        yield* sql`DROP TABLE incidents`
        yield* sql`DROP TABLE saved_views`
        yield* sql`DROP TABLE IF EXISTS processes`
        yield* sql`DROP TABLE written_batches`
        yield* sql`DELETE FROM signalbox_migrations WHERE migration_id > 28`
      })
    )
    assert.deepStrictEqual(await run(migrate(upTo(28))), [])
    assert.lengthOf(await run(migrate(upTo(37))), 9)
  })

  it("runs once when several processes start at the same time", async () => {
    const run = connections()
    const completed = await Promise.all(Array.from({ length: 6 }, () => run(migrate(next))))
    assert.deepStrictEqual(completed.flat(), Object.keys(next))
    const rows = await run(Effect.flatMap(SqlClient, (sql) => sql`SELECT a FROM two`))
    assert.lengthOf(rows, 1)
  })

  it("leaves the old schema when a migration fails", async () => {
    const run = connections()
    await run(migrate())
    const exit = await run(Effect.exit(migrate(broken)))
    assert.isTrue(Exit.isFailure(exit))
    assert.isTrue(await run(hasTable("workspaces")))
    assert.isFalse(await run(hasTable("one")))
    assert.isFalse(await run(hasTable("three")))
    assert.deepStrictEqual(await run(migrate(next)), ["900_one", "901_two"])
  })

  it("leaves the old schema when it is interrupted, and can run again", async () => {
    const run = connections()
    const slow: Readonly<Record<string, Migration>> = {
      "1_one": () => [
        "CREATE TABLE one (a integer)",
        ...Array.from({ length: 500 }, () => "SELECT 1")
      ]
    }
    await run(Effect.timeoutOption(migrate(slow), 20))
    const isOld = !(await run(hasTable("one")))
    assert.deepStrictEqual(await run(migrate(slow)), isOld ? ["1_one"] : [])
    assert.isTrue(await run(hasTable("one")))
  })

  it("rejects a schema of a later version and says what to do", async () => {
    const run = connections()
    await run(migrate(next))
    const error = await run(Effect.flip(migrate()))
    assert.propertyVal(error, "_tag", "SchemaTooNew")
    const known = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))
    assert.match(error.message, new RegExp(`at migration 901.*knows ${known} .*restore the backup`))
  })
})

/** The migrations of a version whose last one has this number. */
const upTo = (last: number) =>
  Object.fromEntries(
    Object.entries(migrations).filter(([name]) => Number.parseInt(name, 10) <= last)
  )
