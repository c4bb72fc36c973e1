/** A process that prints when it begins a migration of Postgres, which takes minutes. */
import * as Effect from "effect/Effect"
import { migrate } from "../src/migrations/migrate.ts"
import { migrations } from "../src/domains.ts"
import { layerPostgresClient } from "../src/connection/postgresClient.ts"

const [url = "", schema = ""] = process.argv.slice(2)

await migrate({
  ...migrations,
  "900_one": () => ["CREATE TABLE one (a integer)"],
  "901_slow": () => {
    console.log("migrating")
    return Array.from({ length: 3_000 }, () => "SELECT pg_sleep(0.1)")
  }
}).pipe(Effect.provide(layerPostgresClient({ url, schema })), Effect.runPromise)
