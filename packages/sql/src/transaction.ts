/** The transaction port: what joins it is one transaction of the database, a nested one a savepoint. */
import { Transaction } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { withStoreTimeout, dieUnavailable } from "./guardStoreCall.ts"

export const transaction: Layer.Layer<Transaction, never, SqlClient.SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    withTransaction: (effect) =>
      withStoreTimeout(
        sql
          .withTransaction(effect)
          .pipe(Effect.catchIf(isSqlError, dieUnavailable), Effect.catchDefect(dieUnavailable))
      )
  }))
)
