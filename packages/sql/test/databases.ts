/** Empty databases for tests. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { LeaseTime } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { inject } from "vitest"
import { postgres, sqlite, type StorageOptions } from "../src/index.ts"
import { layerPostgresClient } from "../src/connection/postgresClient.ts"
import * as SqliteClient from "../src/connection/SqliteClient.ts"

export const newFile = (): string => join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")

export const newSchema = () => ({
  url: inject("postgresUrl"),
  schema: `test-${crypto.randomUUID()}`
})

/** Creates an empty database. Every fresh build of the layer is another connection to it. */
export const emptyDatabase: Readonly<
  Record<"Postgres" | "SQLite", () => Layer.Layer<SqlClient, unknown>>
> = {
  Postgres: () => layerPostgresClient(newSchema()),
  SQLite: () => SqliteClient.layer({ path: newFile() })
}

/** Opens the stores of an empty database. */
export const emptyStores = (options: StorageOptions = {}) => ({
  Postgres: () => postgres({ ...newSchema(), ...options }),
  SQLite: () => sqlite({ path: newFile(), ...options })
})

/**
 * Leases on Postgres are on its own clock: time passes by moving their ends. What is left of one must last until a slow machine
 * is done.
 */
export const postgresLeaseTime: LeaseTime<SqlClient> = {
  pass: (millis) =>
    Effect.andThen(
      TestClock.adjust(millis),
      SqlClient.use((sql) => sql`UPDATE reservations SET expires_at = expires_at - ${millis}`)
    ),
  marginMillis: 25_000
}
