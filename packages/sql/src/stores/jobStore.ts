/** Durable job steps, in a table of Effect's `PersistedQueue`, and dead letters. */
import { type DeadLetter, JobStore, Settings, type QueueDepth } from "@signalbox/core/stores"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { makeQueueClock } from "../connection/dialect.ts"
import { toKeyText } from "../rows/toKeyText.ts"
import { deleteInBatches } from "../rows/deleteInBatches.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { selectCursorPage } from "../rows/selectCursorPage.ts"

/** `PersistedQueue` creates and migrates this table itself. */
const tableName = "job_steps"

export const jobStore: Layer.Layer<JobStore, SqlError, SqlClient.SqlClient> = Layer.effect(
  JobStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { jobLeaseMillis, jobLeaseRefreshMillis, jobPollMillis } = yield* Settings
    const queue = yield* PersistedQueue.makeStoreSql({
      tableName,
      pollInterval: jobPollMillis,
      lockExpiration: jobLeaseMillis,
      lockRefreshInterval: jobLeaseRefreshMillis
      // Its fibers poll all the time, and a trace of each poll is noise.
    }).pipe(Effect.withTracerEnabled(false))
    const { leaseExpiredAt, millisSince, now } = makeQueueClock(
      sql,
      Math.ceil(jobLeaseMillis / 1_000)
    )

    return {
      queue,
      listQueueDepths: sql<Record<keyof QueueDepth, unknown>>`
        SELECT kind,
          count(CASE WHEN state_group = 'due' THEN 1 END) AS due,
          count(CASE WHEN state_group = 'later' THEN 1 END) AS later,
          count(CASE WHEN state_group = 'running' THEN 1 END) AS running,
          ${millisSince(sql`min(CASE WHEN state_group = 'due' THEN visible_at END)`)} AS "oldestMillis"
        FROM (
          SELECT queue_name AS kind, visible_at, CASE
            WHEN acquired_at >= ${leaseExpiredAt} THEN 'running'
            WHEN visible_at > ${now} THEN 'later'
            ELSE 'due' END AS state_group
          FROM ${sql(tableName)} WHERE state = 'pending'
        ) AS steps
        GROUP BY kind`.pipe(
        Effect.map((rows) =>
          rows.map(({ due, kind, later, oldestMillis, running }): QueueDepth => ({
            kind: String(kind),
            due: Number(due),
            later: Number(later),
            running: Number(running),
            oldestMillis: Math.max(0, Math.round(Number(oldestMillis ?? 0)))
          }))
        ),
        guardStoreCall
      ),
      deadLetter: (letter) =>
        guardStoreCall(
          Effect.map(
            sql`INSERT INTO dead_letters ${sql.insert({
              kind: toKeyText(letter.kind),
              step_key: toKeyText(letter.key),
              died_at: letter.at,
              document: JSON.stringify(letter)
            })} ON CONFLICT (kind, step_key) DO UPDATE
              SET died_at = excluded.died_at, document = excluded.document
              WHERE dead_letters.died_at < ${letter.offeredAt ?? 0} RETURNING kind`,
            (rows) => rows.length > 0
          )
        ),
      listDeadLetters: (page) =>
        guardStoreCall(selectCursorPage<DeadLetter>(sql, "dead_letters", [], page)),
      purgeExpired: Effect.fnUntraced(function* ({ deadMillis, finishedMillis }) {
        yield* Effect.orDie(
          queue.cleanup({
            timeToLive: Duration.millis(finishedMillis),
            failedTimeToLive: undefined
          })
        )
        const before = (yield* Clock.currentTimeMillis) - deadMillis
        yield* deleteInBatches(sql`DELETE FROM dead_letters WHERE (kind, step_key) IN (
          SELECT kind, step_key FROM dead_letters WHERE died_at <= ${before} LIMIT 500
        ) RETURNING kind`)
      }, guardStoreCall)
    }
  })
)
