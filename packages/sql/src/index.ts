/** Storage that lasts: every store port of the core, on SQLite or Postgres. Exports are listed one by one. */
export { postgres, type PostgresOptions } from "./postgres.ts"
export { sqlite } from "./sqlite.ts"
export type { SqliteOptions } from "./SqliteClient.ts"
export { FileInUse, SchemaTooNew, StorageUnavailable } from "./StorageErrors.ts"
export type { StorageOptions } from "./storage.ts"
