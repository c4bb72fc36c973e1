/** Connects to the database of a test. */
import type * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerPostgresClient } from "../../packages/sql/src/connection/postgresClient.ts"
import * as SqliteClient from "../../packages/sql/src/connection/SqliteClient.ts"
import type { TestDatabase } from "./TestDatabase.ts"

export const makeSqlClient = (database: TestDatabase): Layer.Layer<SqlClient, Error> =>
  database.kind === "sqlite"
    ? SqliteClient.layer({ path: database.path })
    : layerPostgresClient({ ...database, maxConnections: 1 })
