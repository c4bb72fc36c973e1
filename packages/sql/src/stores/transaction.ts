/** The transaction port. A nested transaction is a savepoint. */
import { Transaction } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { guardStoreCall } from "../errors/guardStoreCall.ts"

export const transaction: Layer.Layer<Transaction, never, SqlClient.SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    withTransaction: (effect) => guardStoreCall(sql.withTransaction(effect))
  }))
)
