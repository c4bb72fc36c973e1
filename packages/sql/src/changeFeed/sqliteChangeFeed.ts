/** Notices changes of a SQLite file by other connections. */
import { ChangeFeed } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { makeInvalidationBus } from "./InvalidationBus.ts"

/**
 * Polls `PRAGMA data_version` twice per `stalenessMillis`. SQLite does not say what has changed, so each change
 * invalidates everything.
 */
export const layerSqliteChangeFeed = (
  stalenessMillis: number
): Layer.Layer<never, SqlError, SqlClient.SqlClient> =>
  Layer.effect(
    ChangeFeed,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { invalidateAll, invalidateUnconfirmed, remoteInvalidations } =
        yield* makeInvalidationBus
      const version = Effect.map(
        sql<{ data_version: number }>`PRAGMA data_version`,
        ([row]) => row?.data_version
      )
      let lastVersion = yield* version
      const pollVersion = Effect.flatMap(version, (current) => {
        const isUnchanged = current === lastVersion
        lastVersion = current
        return isUnchanged ? Effect.void : invalidateAll
      })
      yield* pollVersion.pipe(
        Effect.catchCause(() => invalidateUnconfirmed),
        Effect.repeat(Schedule.spaced(stalenessMillis / 2)),
        // A span per poll would be noise.
        Effect.withTracerEnabled(false),
        Effect.forkScoped
      )
      return { remoteInvalidations }
    })
  )
