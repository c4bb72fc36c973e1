/** The transaction port: what joins it is one transaction of the database, a nested one a savepoint. */
import { Atomically } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { bounded, die } from "./orUnavailable.ts"

export const atomically: Layer.Layer<Atomically, never, SqlClient.SqlClient> = Layer.effect(
  Atomically,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    atomically: (effect) =>
      bounded(
        sql.withTransaction(effect).pipe(Effect.catchIf(isSqlError, die), Effect.catchDefect(die))
      )
  }))
)
