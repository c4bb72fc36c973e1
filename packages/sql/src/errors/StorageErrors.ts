/** The errors that opening storage may fail with. Each message says what to do about it. */
import type { Stores } from "@signalbox/core/stores"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { startAdvice, toErrorAdvice } from "./toErrorAdvice.ts"

/**
 * The database cannot be reached, opened or migrated. `message` says why and what to check, without
 * credentials:
 *
 * ```
 * cannot use Postgres at db.example.com/app: connect ECONNREFUSED 10.0.0.7:5432; is Postgres running there, …
 * ```
 */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{
  /** The file, or the host and name of the database, without credentials. */
  readonly where: string
  /** The error of the driver. */
  readonly cause: unknown
}> {
  override get message(): string {
    return `cannot use ${this.where}: ${toErrorAdvice(this.cause, startAdvice)}`
  }
}

/**
 * A newer version of this package has migrated the database. Run that version or a later one, or restore
 * the backup made before the upgrade.
 */
export class SchemaTooNew extends Data.TaggedError("SchemaTooNew")<{
  /** The number of the latest migration that the database has. */
  readonly found: number
  /** The number of the latest migration that this version knows. */
  readonly known: number
}> {
  override get message(): string {
    return (
      `the database is at migration ${this.found}, and this version of @signalbox/sql knows ${this.known} ` +
      "at most: run the version that migrated it, or a later one, or restore the backup made before"
    )
  }
}

/**
 * Another process has the SQLite file open: a file serves one process at a time. Stop that process, or use
 * Postgres to share storage.
 */
export class FileInUse extends Data.TaggedError("FileInUse")<{
  /** The path as given to `sqlite`. */
  readonly path: string
}> {
  override get message(): string {
    return `${this.path} is in use by another process: stop that process, or share storage with Postgres`
  }
}

/** Storage that fails to open with `StorageUnavailable`. */
export const layerUnavailable =
  (where: string) =>
  (cause: unknown): Layer.Layer<Stores | SqlClient, StorageUnavailable> =>
    Layer.effectContext(Effect.fail(new StorageUnavailable({ where, cause })))
