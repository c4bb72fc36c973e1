/** Deletes records that have outlived their retention, and compacts rollups. Audit entries are kept forever. */
import {
  AuthCodeStore,
  ContentStore,
  FeedbackStore,
  RollupStore,
  Settings
} from "@signalbox/core/stores"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { deleteInBatches } from "./rows/deleteInBatches.ts"

/** How long records are kept. */
export interface Retention {
  /** How long generation records are kept, in milliseconds. Default: 30 days. */
  readonly generationRetentionMillis?: number
  /** How long requests that failed before they were routed are kept, in milliseconds. Default: 30 days. */
  readonly failedRequestRetentionMillis?: number
}

const minuteMillis = 60_000
const hourMillis = 60 * minuteMillis
const dayMillis = 24 * hourMillis

/** Purges every hour. The first purge waits a minute, to keep the start of the instance fast. */
export const layerPurgeExpired = (
  retention: Retention
): Layer.Layer<
  never,
  never,
  AuthCodeStore | ContentStore | FeedbackStore | RollupStore | SqlClient.SqlClient
> =>
  Layer.effectDiscard(
    purgeExpired(retention).pipe(
      Effect.catchCause((cause) => Effect.logWarning("cannot purge expired records", cause)),
      Effect.andThen(Effect.sleep(hourMillis)),
      Effect.forever,
      Effect.delay(minuteMillis),
      Effect.withTracerEnabled(false),
      Effect.forkScoped
    )
  )

/** Compacts so often that a query reads few deltas. */
export const layerCompactRollups: Layer.Layer<never, never, RollupStore> = Layer.effectDiscard(
  Effect.flatMap(RollupStore, ({ compact }) =>
    compact().pipe(
      Effect.catchCause((cause) => Effect.logWarning("cannot compact rollups", cause)),
      Effect.delay(compactionMillis),
      Effect.forever,
      Effect.withTracerEnabled(false),
      Effect.forkScoped
    )
  )
)

const compactionMillis = 10_000

/** Maps are fitted to labels of this time. */
const mapRetentionMillis = 90 * dayMillis

export const purgeExpired = Effect.fnUntraced(function* ({
  failedRequestRetentionMillis = 30 * dayMillis,
  generationRetentionMillis = 30 * dayMillis
}: Retention): Effect.fn.Return<
  void,
  SqlError,
  AuthCodeStore | ContentStore | FeedbackStore | RollupStore | SqlClient.SqlClient
> {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  yield* deleteInBatches(sql`DELETE FROM generations WHERE id IN (
    SELECT id FROM generations WHERE started_at < ${now - generationRetentionMillis} LIMIT 500
  ) RETURNING id`)
  yield* deleteInBatches(sql`DELETE FROM failed_requests WHERE seq IN (
    SELECT seq FROM failed_requests WHERE failed_at < ${now - failedRequestRetentionMillis} LIMIT 500
  ) RETURNING seq`)
  // Labels go with the records of their generations.
  yield* deleteInBatches(sql`DELETE FROM calibration_samples WHERE (generation, name, model) IN (
    SELECT generation, name, model FROM calibration_samples
    WHERE asked_at < ${now - generationRetentionMillis} LIMIT 500
  ) RETURNING generation`)
  yield* deleteInBatches(sql`DELETE FROM calibration_maps WHERE (account, model, method, kind) IN (
    SELECT account, model, method, kind FROM calibration_maps
    WHERE fitted_at < ${now - mapRetentionMillis} LIMIT 500
  ) RETURNING account`)
  yield* deleteInBatches(sql`DELETE FROM cached_answers WHERE answer_key IN (
    SELECT answer_key FROM cached_answers WHERE expires_at <= ${now} LIMIT 500
  ) RETURNING answer_key`)
  yield* deleteInBatches(sql`DELETE FROM written_batches WHERE id IN (
    SELECT id FROM written_batches WHERE written_at < ${now - dayMillis} LIMIT 500
  ) RETURNING id`)
  // Requests that began before the end of a window may still read its counter, so it stays another day.
  yield* deleteInBatches(sql`DELETE FROM limit_counters WHERE counter_key IN (
    SELECT counter_key FROM limit_counters WHERE ends_at < ${now - dayMillis} AND reserved = 0 LIMIT 500
  ) RETURNING counter_key`)
  yield* (yield* AuthCodeStore).purge(now)
  yield* (yield* ContentStore).purge(now)
  const { feedbackRetentionMillis } = yield* Settings
  yield* (yield* FeedbackStore).purge(now - feedbackRetentionMillis)
  yield* (yield* RollupStore).purgeExpired()
})
