/** Why there is no storage to start with. Each message says what to do about it. */
import * as Data from "effect/Data"
import { toErrorAdvice } from "./toErrorAdvice.ts"

/** The database cannot be reached, opened or changed. */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{
  /** What was to be opened, without any secret. */
  readonly where: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `cannot use ${this.where}: ${toErrorAdvice(this.cause)}`
  }
}

/** A newer version of this package has changed the schema. */
export class SchemaTooNew extends Data.TaggedError("SchemaTooNew")<{
  /** The latest migration of the database, and the latest this version knows. */
  readonly found: number
  readonly known: number
}> {
  override get message(): string {
    return (
      `the database is at migration ${this.found}, and this version of @signalbox/sql knows ${this.known} ` +
      "at most: run the version that migrated it, or a later one, or restore the backup made before"
    )
  }
}

/** Another process has the file: SQLite is for one process, Postgres for many. */
export class FileInUse extends Data.TaggedError("FileInUse")<{ readonly path: string }> {
  override get message(): string {
    return `${this.path} is in use by another process: stop that one, or use Postgres for several`
  }
}
