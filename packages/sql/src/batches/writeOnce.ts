/** Writes a batch once, however often it is repeated: its id is committed with it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { guardStoreCall } from "../errors/guardStoreCall.ts"

/** A repetition waits for a first attempt that the database is still running, since both insert the same key. */
export const writeOnce = (
  sql: SqlClient.SqlClient,
  id: string,
  write: Effect.Effect<void>
): Effect.Effect<void> =>
  guardStoreCall(
    sql.withTransaction(
      Effect.gen(function* () {
        const written_at = yield* Clock.currentTimeMillis
        const inserted = yield* sql`INSERT INTO written_batches ${sql.insert({ id, written_at })}
          ON CONFLICT (id) DO NOTHING RETURNING id`
        if (inserted.length > 0) yield* write
      })
    )
  )
