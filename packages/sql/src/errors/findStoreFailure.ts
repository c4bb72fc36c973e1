/** Finds what an error of a store call means. */
import { isSqlError } from "effect/sql/SqlError"
import {
  missingInSqlite,
  postgresFailures,
  sqliteFailures,
  sqliteSchemaFailure,
  type StoreFailure
} from "./storeFailures.ts"

/** The kind of failure, and its code, such as `SQLSTATE 25006`. */
export interface FoundFailure extends StoreFailure {
  readonly code?: string
}

/** The store did not answer within `Settings.storeTimeoutMillis`. */
export class NoAnswer extends Error {
  constructor(timeoutMillis: number) {
    super(`no answer in ${timeoutMillis} ms`)
  }
}

/** Undefined for an error that the storage did not cause: a bug, a violated constraint, or an error of a domain. */
export const findStoreFailure = (error: unknown): FoundFailure | undefined => {
  if (error instanceof NoAnswer) return noAnswer
  if (!isSqlError(error)) return undefined
  const { cause, isRetryable, operation } = error.reason
  const code = findCode(cause)
  const known = code === undefined ? undefined : findByCode(code, cause)
  const found =
    operation === "connect"
      ? toRefusal(known ?? (isRetryable ? unreachable : refused))
      : endsSession(cause)
        ? toSessionFailure(known ?? broken)
        : (known ?? (isRetryable ? broken : undefined))
  return found === undefined || code === undefined ? found : { ...found, code }
}

const noAnswer: FoundFailure = {
  means: "the database does not answer in time",
  scope: "session",
  wroteNothing: false
}

/** There is no code of the database. */
const unreachable: StoreFailure = {
  means: "the database cannot be reached",
  scope: "session",
  wroteNothing: true
}

const refused: StoreFailure = { ...unreachable, means: "the database refuses the connection" }

/** The driver drops the code of an error that ends a session while a statement is running. */
const broken: StoreFailure = {
  means: "the connection to the database broke",
  scope: "session",
  wroteNothing: false
}

const findCode = (cause: unknown): string | undefined => {
  if (typeof cause !== "object" || cause === null) return undefined
  if ("errcode" in cause) return `SQLite ${Number(cause.errcode) & 0xff}`
  // Errors of Node have codes too, such as EPIPE.
  return "severity" in cause && "code" in cause ? `SQLSTATE ${String(cause.code)}` : undefined
}

const findByCode = (code: string, cause: unknown): StoreFailure | undefined => {
  const [source, value = ""] = code.split(" ")
  if (source === "SQLite") {
    // SQLite has one code for every error of a statement.
    const isSchema = value === "1" && cause instanceof Error && missingInSqlite.test(cause.message)
    return isSchema ? sqliteSchemaFailure : sqliteFailures[Number(value)]
  }
  const key = [value, value.slice(0, 3), value.slice(0, 2)].find((key) =>
    Object.hasOwn(postgresFailures, key)
  )
  return key === undefined ? undefined : postgresFailures[key]
}

/**
 * Levels above ERROR end the session, with any code:
 * https://www.postgresql.org/docs/current/runtime-config-logging.html#RUNTIME-CONFIG-SEVERITY-LEVELS. The first field
 * is translated, and older poolers have no other: https://www.postgresql.org/docs/current/protocol-error-fields.html.
 */
const endsSession = (cause: unknown): boolean =>
  typeof cause === "object" &&
  cause !== null &&
  (("severityUnlocalized" in cause && isFatal(cause.severityUnlocalized)) ||
    ("severity" in cause && isFatal(cause.severity)))

const isFatal = (severity: unknown): boolean => severity === "FATAL" || severity === "PANIC"

const toSessionFailure = (found: StoreFailure): StoreFailure =>
  found.scope === "database" ? found : { ...found, scope: "session" }

/**
 * A session that is refused, such as with 55000 by a database that takes no connections, has sent no statement:
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-START-UP.
 */
const toRefusal = (found: StoreFailure): StoreFailure => ({
  ...toSessionFailure(found),
  wroteNothing: true
})
