/** Steps of jobs, in the queue's own table, and those that are dead. */
import { type DeadLetter, JobStore, Settings, type QueueDepth } from "@signalbox/core/stores"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PersistedQueue from "effect/persistence/PersistedQueue"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { makeQueueClock } from "../dialect.ts"
import { toKeyText } from "../toKeyText.ts"
import { drainAll } from "../drainAll.ts"
import { guardStoreCall } from "../guardStoreCall.ts"
import { selectCursorPage } from "../selectCursorPage.ts"

/** Made and kept up to date by the queue itself, since its form is the queue's affair. */
const tableName = "job_steps"

/** Leases and polling are those of the settings. */
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
      // It looks for steps, and for leases to renew, in fibers of its own.
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
      deadLetter: (step) =>
        guardStoreCall(
          Effect.map(
            sql`INSERT INTO dead_letters ${sql.insert({
              kind: toKeyText(step.kind),
              step_key: toKeyText(step.key),
              died_at: step.at,
              document: JSON.stringify(step)
            })} ON CONFLICT (kind, step_key) DO UPDATE
              SET died_at = excluded.died_at, document = excluded.document
              WHERE dead_letters.died_at < ${step.offeredAt ?? 0} RETURNING kind`,
            (rows) => rows.length > 0
          )
        ),
      listDeadLetters: (scroll) =>
        guardStoreCall(selectCursorPage<DeadLetter>(sql, "dead_letters", [], scroll)),
      purgeExpired: Effect.fnUntraced(function* ({ deadMillis, finishedMillis }) {
        yield* queue.cleanup({
          timeToLive: Duration.millis(finishedMillis),
          failedTimeToLive: undefined
        })
        const before = (yield* Clock.currentTimeMillis) - deadMillis
        yield* drainAll(sql`DELETE FROM dead_letters WHERE (kind, step_key) IN (
          SELECT kind, step_key FROM dead_letters WHERE died_at <= ${before} LIMIT 500
        ) RETURNING kind`)
      }, guardStoreCall)
    }
  })
)
