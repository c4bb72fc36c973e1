/** Why there is no storage to start with. Each message says what to do about it. */
import * as Data from "effect/Data"

/** The database cannot be reached, opened or changed. */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{
  /** What was to be opened, without any secret. */
  readonly where: string
  readonly cause: unknown
}> {
  override get message(): string {
    const problem = problemOf(this.cause)
    const advice = advices[problem]
    return `cannot use ${this.where}: ${problem}${advice === undefined ? "" : `: ${advice}`}`
  }
}

/** What went wrong at the bottom: those above it only say that something did. */
const problemOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  // A name with several addresses fails with an error for each.
  const deeper: unknown = cause instanceof AggregateError ? cause.errors[0] : cause.cause
  return deeper instanceof Error ? problemOf(deeper) : cause.message
}

/** What to do about what SQLite says, in its words. */
const advices: Readonly<Record<string, string>> = {
  "unable to open database file":
    "its folder must be there, and this process must be allowed to write in it",
  "file is not a database": "name another one, or one that is not there yet"
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
