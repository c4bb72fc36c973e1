/** Changes that read before they write: nobody else is between the two. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { acquireExclusiveLock, acquireSharedLock } from "./dialect.ts"

/**
 * Runs effects that name the same thing one after the other, over all processes: each in a transaction
 * of its own, or in the one there is.
 */
export const withExclusiveLock =
  (sql: SqlClient.SqlClient) =>
  (...name: ReadonlyArray<string>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    sql.withTransaction(Effect.andThen(acquireExclusiveLock(sql, JSON.stringify(name)), effect))

/**
 * Runs effects that name the same thing together with each other, and none of them together with one that is
 * `runAlone` with it: each in the transaction there is, which goes on sharing until it ends.
 */
export const withSharedLock =
  (sql: SqlClient.SqlClient) =>
  (...name: ReadonlyArray<string>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
    Effect.andThen(acquireSharedLock(sql, JSON.stringify(name)), effect)
