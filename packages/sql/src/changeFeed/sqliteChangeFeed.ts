/** Asks SQLite whether another connection has changed the file. */
import { ChangeFeed } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { makeInvalidationBus } from "./InvalidationBus.ts"

/** No change is older than `stalenessMillis` when it is told. What it was, SQLite does not say. */
export const layerSqliteChangeFeed = (
  stalenessMillis: number
): Layer.Layer<never, SqlError, SqlClient.SqlClient> =>
  Layer.effect(
    ChangeFeed,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { invalidateAll, remoteInvalidations } = yield* makeInvalidationBus
      const version = Effect.map(
        sql<{ data_version: number }>`PRAGMA data_version`,
        ([row]) => row?.data_version
      )
      let known = yield* version
      const pollVersion = Effect.flatMap(version, (now) => {
        const isSame = now === known
        known = now
        return isSame ? Effect.void : invalidateAll
      })
      yield* pollVersion.pipe(
        Effect.catchCause(() => invalidateAll),
        Effect.repeat(Schedule.spaced(stalenessMillis / 2)),
        // Nobody wants a span of each look.
        Effect.withTracerEnabled(false),
        Effect.forkScoped
      )
      return { remoteInvalidations }
    })
  )
