/** Storage in one SQLite file, for one process, with no server to run. */
import { checkOptionTypes, type OptionTypes, type Stores } from "@signalbox/core/stores"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerSqliteChangeFeed } from "./changeFeed/sqliteChangeFeed.ts"
import { layerFileLock } from "./connection/fileLock.ts"
import * as SqliteClient from "./connection/SqliteClient.ts"
import {
  type FileInUse,
  layerUnavailable,
  type SchemaTooNew,
  type StorageUnavailable
} from "./errors/StorageErrors.ts"
import { layerStorage, type StorageOptions, storageOptionTypes } from "./storage.ts"

/** Options of `sqlite`. Only `path` is required. */
export interface SqliteOptions extends SqliteClient.SqliteOptions, StorageOptions {}

const optionTypes: OptionTypes<SqliteOptions> = {
  path: ["string"],
  synchronous: ["string"],
  lockWaitMillis: ["number"],
  ...storageOptionTypes
}

/**
 * Every store in one SQLite file, and the `SqlClient` they use. Opening it creates the file and runs missing
 * migrations.
 *
 * Throws a `RangeError` for an unknown option or one of the wrong type. Building the layer fails with
 * `FileInUse` while another process has the file, with `SchemaTooNew` when a later version has migrated it,
 * and with `StorageUnavailable` when it cannot be used.
 *
 * ```ts
 * const stores = sqlite({ path: "./signalbox.db" })
 * const signalbox = await Signalbox.make({ stores, upstreams, models })
 * ```
 */
export const sqlite = (
  options: SqliteOptions
): Layer.Layer<Stores | SqlClient, FileInUse | SchemaTooNew | StorageUnavailable> => {
  checkOptionTypes("sqlite", options, optionTypes)
  const { lockWaitMillis = 5_000, path } = options
  const problem = findPathProblem(path)
  // The path is not repeated, since a url may hold a password.
  if (problem !== undefined) return layerUnavailable("SQLite")(new Error(problem))
  return layerStorage(options, { layerChangeFeed: layerSqliteChangeFeed, sessions: 0 }).pipe(
    Layer.provideMerge(SqliteClient.layer(options)),
    Layer.catchTag(["SqlError", "MigrationError"], layerUnavailable(path)),
    Layer.provide(path === ":memory:" ? Layer.empty : layerFileLock(path, lockWaitMillis))
  )
}

/** SQLite takes an empty path for a temporary database, which is deleted when it closes. */
const findPathProblem = (path: string | undefined): string | undefined => {
  if (path === undefined || path === "") {
    return "it has no path; is the variable that holds it set?"
  }
  return /^(?!file:)[a-z][a-z+.-]*:\/\//i.test(path)
    ? "its path is a url: give a path such as ./signalbox.db, or use postgres({ url })"
    : undefined
}
