/** A process that opens a SQLite file, prints whether it could, and holds the file until it is killed. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { sqlite } from "../src/index.ts"
import { migrate } from "../src/migrations/migrate.ts"
import { migrations } from "../src/domains.ts"
import * as SqliteClient from "../src/connection/SqliteClient.ts"

const [, , task, path = ""] = process.argv

/** Never finishes its second migration. */
const migrateForever = migrate({
  ...migrations,
  "900_one": () => ["CREATE TABLE one (a integer)"],
  "901_never": () => {
    console.log("migrating")
    return ["WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"]
  }
}).pipe(Effect.provide(SqliteClient.layer({ path })))

const hold = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO accounts (id, document) VALUES ('stored', '{"id":"stored","zdr":true}')`
  console.log("holding")
  return yield* Effect.never
}).pipe(Effect.provide(sqlite({ path, lockWaitMillis: 200 })))

const printError = (error: { readonly _tag: string }) => Effect.sync(() => console.log(error._tag))

await Effect.runPromise(
  task === "migrate"
    ? migrateForever.pipe(Effect.catch(printError), Effect.asVoid)
    : hold.pipe(Effect.catch(printError))
)
