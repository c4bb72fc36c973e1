/** Empty databases for tests. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
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
