/** Storage in one SQLite file, for one process: nothing to install, nothing to run. */
import { checkOptionTypes, type OptionTypes, type Stores } from "@signalbox/core/stores"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerSqliteChangeFeed } from "./changeFeed/sqliteChangeFeed.ts"
import { type Retention, layerPurgeExpired } from "./purgeExpired.ts"
import { migrate } from "./migrate.ts"
import { layerFileLock } from "./fileLock.ts"
import * as SqliteClient from "./SqliteClient.ts"
import type { FileInUse, SchemaTooNew, StorageUnavailable } from "./StorageErrors.ts"
import {
  toStalenessMillis,
  layerStorage,
  type StorageOptions,
  storageOptionTypes
} from "./storage.ts"
import { layerUnavailable } from "./layerUnavailable.ts"

/** Only `path` is needed. */
export interface SqliteOptions extends SqliteClient.SqliteOptions, Retention, StorageOptions {}

const optionTypes: OptionTypes<SqliteOptions> = {
  path: ["string"],
  synchronous: ["string"],
  lockWaitMillis: ["number"],
  ...storageOptionTypes
}

/**
 * Every store, in a file that is made when it is not there, and the `SqlClient` behind them. Fails with
 * `FileInUse` while another process has the file, with `SchemaTooNew` when a later version has changed it,
 * and with `StorageUnavailable` when it cannot be used at all. Throws a `RangeError` for an option that is none.
 *
 * ```ts
 * const box = await Signalbox.make({ stores: sqlite({ path: "./signalbox.db" }), upstreams, models })
 * ```
 */
export const sqlite = (
  options: SqliteOptions
): Layer.Layer<Stores | SqlClient, FileInUse | SchemaTooNew | StorageUnavailable> => {
  checkOptionTypes("sqlite", options, optionTypes)
  const { lockWaitMillis = 5_000, path } = options
  const problem = findPathProblem(path)
  // An address may hold a password, so it is not repeated.
  if (problem !== undefined) return layerUnavailable("SQLite")(new Error(problem))
  return layerStorage(options).pipe(
    Layer.merge(layerPurgeExpired(options)),
    Layer.provideMerge(layerSqliteChangeFeed(toStalenessMillis(options))),
    Layer.provideMerge(Layer.effectDiscard(migrate())),
    Layer.provideMerge(SqliteClient.layer(options)),
    Layer.catchTag(["SqlError", "MigrationError"], layerUnavailable(path)),
    Layer.provide(path === ":memory:" ? Layer.empty : layerFileLock(path, lockWaitMillis))
  )
}

/** SQLite would take no path for a file that is gone with the process. */
const findPathProblem = (path: string | undefined): string | undefined => {
  if (path === undefined || path === "") {
    return "it has no path; is the variable that holds it set?"
  }
  return /^(?!file:)[a-z][a-z+.-]*:\/\//i.test(path)
    ? "its path is an address: give a path such as ./signalbox.db, or use postgres({ url })"
    : undefined
}
