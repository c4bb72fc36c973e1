/** Asks SQLite whether another connection has changed the file. */
import { Changes } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { makeTold } from "./told.ts"

/** No change is older than `stalenessMillis` when it is told. What it was, SQLite does not say. */
export const sqliteChanges = (
  stalenessMillis: number
): Layer.Layer<never, SqlError, SqlClient.SqlClient> =>
  Layer.effect(
    Changes,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { doubt, elsewhere } = yield* makeTold
      const version = Effect.map(
        sql<{ data_version: number }>`PRAGMA data_version`,
        ([row]) => row?.data_version
      )
      let known = yield* version
      const look = Effect.flatMap(version, (now) => {
        const isSame = now === known
        known = now
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
