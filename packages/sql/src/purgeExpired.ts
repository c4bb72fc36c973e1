/** Lets go of what grows with every request, so that a database does not grow for ever. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { drainAll } from "./drainAll.ts"

export interface Retention {
  /** How long generation records are kept, in milliseconds; default: 30 days. */
  readonly generationRetentionMillis?: number
}

const minuteMillis = 60_000
const hourMillis = 60 * minuteMillis
const dayMillis = 24 * hourMillis

/** Every hour, and soon after the start, which has other things to do. Audit entries are kept for good. */
export const layerPurgeExpired = (
  kept: Retention
): Layer.Layer<never, never, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    purgeExpired(kept).pipe(
      Effect.catchCause((cause) => Effect.logWarning("old records cannot be deleted", cause)),
      Effect.andThen(Effect.sleep(hourMillis)),
      Effect.forever,
      Effect.delay(minuteMillis),
      Effect.withTracerEnabled(false),
      Effect.forkScoped
    )
  )

export const purgeExpired = Effect.fnUntraced(function* ({
  generationRetentionMillis = 30 * dayMillis
}: Retention): Effect.fn.Return<void, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  yield* drainAll(sql`DELETE FROM generations WHERE id IN (
    SELECT id FROM generations WHERE started_at < ${now - generationRetentionMillis} LIMIT 500
  ) RETURNING id`)
  // A window that is over is kept for a day, for whoever still looks at it.
  yield* drainAll(sql`DELETE FROM limit_counters WHERE counter_key IN (
    SELECT counter_key FROM limit_counters WHERE ends_at < ${now - dayMillis} AND reserved = 0 LIMIT 500
  ) RETURNING counter_key`)
})
