/** Asks SQLite whether another connection has changed the file. */
import { Changes } from "@signalbox/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { makeTold } from "./told.ts"

/** No change is older than `stalenessMillis` when it is told. What it was, SQLite does not say. */
export const sqliteChanges = (
  stalenessMillis: number
): Layer.Layer<never, never, SqlClient.SqlClient> =>
  Layer.effect(
    Changes,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { doubt, elsewhere } = yield* makeTold
      let known: number | undefined
      const look = Effect.flatMap(sql<{ data_version: number }>`PRAGMA data_version`, ([row]) => {
        const isSame = row !== undefined && row.data_version === known
        known = row?.data_version
        return isSame ? Effect.void : doubt
      })
      yield* look.pipe(
        Effect.catchCause(() => doubt),
        Effect.repeat(Schedule.spaced(stalenessMillis / 2)),
        // Nobody wants a span of each look.
        Effect.withTracerEnabled(false),
        Effect.forkScoped
      )
      return { elsewhere }
    })
  )
