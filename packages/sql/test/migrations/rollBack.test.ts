import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { assert, describe, it } from "vitest"
import { layerPostgresClient } from "../../src/connection/postgresClient.ts"
import { migrations } from "../../src/domains.ts"
import { migrate } from "../../src/migrations/migrate.ts"
import { newSchema } from "../databases.ts"

const guide = readFileSync(
  join(import.meta.dirname, "../../../../docs/guides/three-processes-and-postgres.md"),
  "utf8"
)
/** What the guide says of going back: from which migration to which, and the statements of its block. */
const [, from, to, block = ""] =
  /From migration (\d+)\s+back to (\d+).*?```sh\n(.*?)```/s.exec(guide) ?? []
const statements = Array.from(block.matchAll(/-c '([^']+)'/g), ([, statement = ""]) => statement)

const names = Object.keys(migrations)
const upTo = (last: number) =>
  Object.fromEntries(
    Object.entries(migrations).filter(([name]) => Number.parseInt(name, 10) <= last)
  )

/** Every column and index of the schema. */
const readShape = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columns = yield* sql<{ shape: string }>`
    SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable) AS shape
    FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY 1`
  const indexes = yield* sql<{ shape: string }>`
    SELECT replace(indexdef, current_schema(), '') AS shape
    FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`
  return [...columns, ...indexes].map(({ shape }) => shape)
})

const connect = () => {
  const { schema, url } = newSchema()
  const client = layerPostgresClient({ schema, url })
  return {
    run: <A, E>(effect: Effect.Effect<A, E, SqlClient>) =>
      Effect.runPromise(Effect.provide(effect, Layer.fresh(client))),
    schema
  }
}

describe("going back as the guide says", () => {
  it("begins at the latest migration", () => {
    assert.strictEqual(Number(from), Number.parseInt(names.at(-1) ?? "", 10))
    assert.isAbove(statements.length, 0)
  })

  it("leaves the schema of the earlier version with its records, and migrates again", async () => {
    const earlier = connect()
    await earlier.run(migrate(upTo(Number(to))))
    const expected = await earlier.run(readShape)

    const { run, schema } = connect()
    await run(migrate(upTo(Number(to))))
    const row = { id: "kept", account: "a", started_at: 1, document: "{}" }
    const kept = await run(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`INSERT INTO generations ${sql.insert(row)}`
        yield* migrate()
        yield* sql.withTransaction(
          Effect.forEach(statements, (statement) =>
            sql.unsafe(statement.replaceAll("signalbox.", `"${schema}".`))
          )
        )
        assert.deepStrictEqual(yield* readShape, expected)
        assert.deepStrictEqual(
          yield* migrate(),
          names.filter((name) => Number.parseInt(name, 10) > Number(to))
        )
        return yield* sql`SELECT id FROM generations`
      })
    )
    assert.deepStrictEqual(
      kept.map((found) => ({ ...found })),
      [{ id: "kept" }]
    )
  })
})
