/**
 * Video jobs. Version and due time are columns, so that one statement claims many jobs. Inline media is a
 * column of its own, so that lists need not read it.
 */
import {
  ContentTooLarge,
  TooManyActiveJobs,
  type VideoJob,
  VideoStore,
  stripInlineMedia
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { withExclusiveLock } from "../connection/locks.ts"
import { type DocumentRow, readDocument } from "../rows/DocumentRow.ts"
import { matchOptional } from "../rows/matchOptional.ts"
import { toKeyText, toNullableKeyText } from "../rows/toKeyText.ts"
import { selectPage } from "../rows/selectPage.ts"
import { guardStoreCall } from "../errors/guardStoreCall.ts"
import { deleteInBatches } from "../rows/deleteInBatches.ts"

interface VideoJobRow extends DocumentRow<VideoJob> {
  readonly version: number | bigint
  readonly due_at: number | bigint | null
  /** The members of the request that hold media, which `document` leaves out. */
  readonly inline_media: string | null
}

export const videoStore: Layer.Layer<VideoStore, never, SqlClient.SqlClient> = Layer.effect(
  VideoStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const withLock = withExclusiveLock(sql)
    const columns = sql`document, version, due_at, inline_media`
    const skipLocked = sql.onDialectOrElse({
      pg: () => sql`FOR UPDATE SKIP LOCKED`,
      orElse: () => sql``
    })
    const findByIdempotencyKey = (key: string) =>
      Effect.map(
        sql<VideoJobRow>`SELECT ${columns} FROM video_jobs WHERE idempotency_key = ${toKeyText(key)}`,
        toFirstJob
      )

    /** Whether the account has at least `count` active jobs. Reads no more than `count` rows. */
    const hasActiveJobs = (account: string, count: number) =>
      Effect.map(
        sql<{ id: string }>`SELECT id FROM video_jobs WHERE account = ${toKeyText(account)}
          AND status IN ('pending', 'in_progress') LIMIT 1 OFFSET ${count - 1}`,
        (rows) => rows.length > 0
      )

    const add = Effect.fnUntraced(function* (job: VideoJob, maxActive: number) {
      while (true) {
        const isFull = yield* hasActiveJobs(job.account, maxActive)
        if (!isFull) {
          const added = yield* sql`INSERT INTO video_jobs ${sql.insert({
            id: toKeyText(job.id),
            account: toKeyText(job.account),
            workspace: toKeyText(job.workspace),
            idempotency_key: toNullableKeyText(job.idempotency?.key),
            ...toColumns(job)
          })} ON CONFLICT (idempotency_key) DO NOTHING RETURNING id`
          if (added.length > 0 || job.idempotency === undefined) return job
        }
        const existing =
          job.idempotency === undefined
            ? undefined
            : yield* findByIdempotencyKey(job.idempotency.key)
        if (existing !== undefined) return existing
        if (isFull) return yield* new TooManyActiveJobs({ limit: maxActive })
        // The job with this key was purged between the two statements, so the insert is tried again.
      }
    })

    const replace = (version: number, after: VideoJob) =>
      Effect.map(
        sql`UPDATE video_jobs SET ${sql.update(toColumns(after))}
          WHERE id = ${toKeyText(after.id)} AND version = ${version} RETURNING id`,
        (rows) => rows.length > 0
      )

    const reserveContent = Effect.fnUntraced(function* (
      version: number,
      after: VideoJob,
      maxBytes: number
    ) {
      const [found] = yield* sql<{ version: number | bigint }>`SELECT version FROM video_jobs
        WHERE id = ${toKeyText(after.id)}`
      if (found === undefined || Number(found.version) !== version) return false
      const [stored] = yield* sql<{
        bytes: number | bigint | string | null
      }>`SELECT SUM(content_bytes) AS bytes FROM video_jobs
        WHERE account = ${toKeyText(after.account)} AND content_bytes > 0 AND id <> ${toKeyText(after.id)}`
      if (Number(stored?.bytes ?? 0) + (after.contentBytes ?? 0) > maxBytes) {
        return yield* new ContentTooLarge({ scope: "account", maxBytes })
      }
      return yield* replace(version, after)
    })

    return {
      add: (job, maxActive) => withLock("videos", job.account)(add(job, maxActive)),
      find: (id) =>
        guardStoreCall(
          Effect.map(
            sql<VideoJobRow>`SELECT ${columns} FROM video_jobs WHERE id = ${toKeyText(id)}`,
            toFirstJob
          )
        ),
      findByIdempotencyKey: (key) => guardStoreCall(findByIdempotencyKey(key)),
      replace: (version, after) => guardStoreCall(replace(version, after)),
      reserveContent: (version, after, maxBytes) =>
        withLock("video files", after.account)(reserveContent(version, after, maxBytes)),
      claim: ({ limit, now, until }) =>
        guardStoreCall(
          Effect.map(
            sql<VideoJobRow>`UPDATE video_jobs SET version = version + 1, due_at = ${until} WHERE id IN (
              SELECT id FROM video_jobs WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit} ${skipLocked}
            ) RETURNING ${columns}`,
            (rows) => rows.map(toVideoJob)
          )
        ),
      reschedule: (id, version, dueAt) =>
        guardStoreCall(
          Effect.map(
            sql`UPDATE video_jobs SET due_at = ${dueAt}
              WHERE id = ${toKeyText(id)} AND version = ${version} RETURNING id`,
            (rows) => rows.length > 0
          )
        ),
      list: (account, { status, workspace }, page) =>
        guardStoreCall(
          selectPage(sql, {
            from: sql`video_jobs WHERE ${sql.and([
              sql`account = ${toKeyText(account)}`,
              ...matchOptional(sql, "workspace", workspace),
              ...matchOptional(sql, "status", status)
            ])}`,
            order: sql`seq DESC`,
            page,
            decode: readDocument<VideoJob>
          })
        ),
      purgeEnded: (before) =>
        guardStoreCall(
          deleteInBatches(sql`DELETE FROM video_jobs WHERE id IN (
            SELECT id FROM video_jobs WHERE ended_at < ${before} LIMIT 500
          ) RETURNING id`)
        )
    }
  })
)

/** The columns that an update writes. */
const toColumns = (job: VideoJob) => {
  const request = stripInlineMedia(job.request)
  const inlineMedia = encodeInlineMedia(job.request)
  return {
    status: job.status,
    version: job.version,
    due_at: job.dueAt ?? null,
    ended_at: job.end?.at ?? null,
    content_bytes: job.contentBytes ?? null,
    document: JSON.stringify({ ...job, request }),
    inline_media: inlineMedia === encodeInlineMedia(request) ? null : inlineMedia
  }
}

const encodeInlineMedia = ({ frame_images, input_references }: VideoJob["request"]): string =>
  JSON.stringify({ frame_images, input_references })

/** Prefers the columns, since claiming and rescheduling do not rewrite the document. */
const toVideoJob = (row: VideoJobRow): VideoJob => {
  const job = readDocument(row)
  return {
    ...job,
    version: Number(row.version),
    ...(row.due_at === null ? undefined : { dueAt: Number(row.due_at) }),
    ...(row.inline_media === null
      ? undefined
      : { request: { ...job.request, ...JSON.parse(row.inline_media) } })
  }
}

const toFirstJob = ([row]: ReadonlyArray<VideoJobRow>): VideoJob | undefined =>
  row === undefined ? undefined : toVideoJob(row)
