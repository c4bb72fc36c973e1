/** Durable storage for Signalbox: every store port of the core on SQLite or Postgres. */
export { FileInUse, SchemaTooNew, StorageUnavailable } from "./errors/StorageErrors.ts"
export { type DatabaseReport, inspectDatabase } from "./inspect/inspectDatabase.ts"
export { postgres, type PostgresOptions } from "./postgres.ts"
export type { Retention } from "./purgeExpired.ts"
export { sqlite, type SqliteOptions } from "./sqlite.ts"
export type { StorageOptions } from "./storage.ts"
