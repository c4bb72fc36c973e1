/** Storage in one SQLite file, for one process: nothing to install, nothing to run. */
import { checkTypes, type OptionTypes, type Stores } from "@signalbox/core/stores"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { sqliteChanges } from "./changes/sqliteChanges.ts"
import { type Retention, layerForgetOld } from "./forgetOld.ts"
import { migrate } from "./migrate.ts"
import { onlyProcess } from "./onlyProcess.ts"
import * as SqliteClient from "./SqliteClient.ts"
import type { FileInUse, SchemaTooNew, StorageUnavailable } from "./StorageErrors.ts"
import { stalenessOf, storage, type StorageOptions, storageTypes } from "./storage.ts"
import { unavailable } from "./unavailable.ts"

/** Only `path` is needed. */
export interface SqliteOptions extends SqliteClient.SqliteOptions, Retention, StorageOptions {}

const types: OptionTypes<SqliteOptions> = {
  path: ["string"],
  synchronous: ["string"],
  lockWaitMillis: ["number"],
  ...storageTypes
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
  checkTypes("sqlite", options, types)
  const { lockWaitMillis = 5_000, path } = options
  const problem = problemOf(path)
  // An address may hold a password, so it is not repeated.
  if (problem !== undefined) return unavailable("SQLite")(new Error(problem))
  return storage(options).pipe(
    Layer.merge(layerForgetOld(options)),
    Layer.provideMerge(sqliteChanges(stalenessOf(options))),
    Layer.provideMerge(Layer.effectDiscard(migrate())),
    Layer.provideMerge(SqliteClient.layer(options)),
    Layer.catchTag(["SqlError", "MigrationError"], unavailable(path)),
    Layer.provide(path === ":memory:" ? Layer.empty : onlyProcess(path, lockWaitMillis))
  )
}

/** SQLite would take no path for a file that is gone with the process. */
const problemOf = (path: string | undefined): string | undefined => {
  if (path === undefined || path === "") {
    return "it has no path; is the variable that holds it set?"
  }
  return /^(?!file:)[a-z][a-z+.-]*:\/\//i.test(path)
    ? "its path is an address: give a path such as ./signalbox.db, or use postgres({ url })"
    : undefined
}
