/** Locks for changes that read before they write. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { acquireExclusiveLock, acquireSharedLock } from "./dialect.ts"

/**
 * Runs a store call in a transaction, its own or the current one, that holds an exclusive lock on `name`
 * until it ends. Calls with one name run one after the other, in all processes.
 */
export const withExclusiveLock =
  (sql: SqlClient.SqlClient) =>
  (...name: ReadonlyArray<string>) =>
  <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
    guardStoreCall(
      sql.withTransaction(Effect.andThen(acquireExclusiveLock(sql, JSON.stringify(name)), effect))
    )

/**
 * Runs a store call that shares a lock on `name` with others until the current transaction ends. An
 * exclusive lock on `name` waits for all of them.
 */
export const withSharedLock =
  (sql: SqlClient.SqlClient) =>
  (...name: ReadonlyArray<string>) =>
  <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
    guardStoreCall(Effect.andThen(acquireSharedLock(sql, JSON.stringify(name)), effect))
