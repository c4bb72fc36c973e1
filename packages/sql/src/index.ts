/** Storage that lasts: every store port of the core, on SQLite or Postgres. Exports are listed one by one. */
export type { Retention } from "./purgeExpired.ts"
export { postgres, type PostgresOptions } from "./postgres.ts"
export { sqlite, type SqliteOptions } from "./sqlite.ts"
export { FileInUse, SchemaTooNew, StorageUnavailable } from "./StorageErrors.ts"
export type { StorageOptions } from "./storage.ts"
