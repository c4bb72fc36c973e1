/**
 * Video jobs: their turn and when they are due stand in columns, so that many are claimed in one statement, and
 * pictures apart, so that lists do without them.
 */
import {
  ContentTooLarge,
  TooManyUnfinished,
  type VideoJob,
  VideoStore,
  withoutPictures
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { alone } from "../alone.ts"
import { type Kept, read } from "../kept.ts"
import { keyText } from "../keyText.ts"
import { listed } from "../listed.ts"
import { bounded, die, inTime } from "../orUnavailable.ts"
import { untilNone } from "../untilNone.ts"

interface Row extends Kept<VideoJob> {
  readonly turn: number | bigint
  readonly due_at: number | bigint | null
  /** What of the request the document is without. */
  readonly pictures: string | null
}

export const videoStore: Layer.Layer<VideoStore, never, SqlClient.SqlClient> = Layer.effect(
  VideoStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql`document, turn, due_at, pictures`
    const skipping = sql.onDialectOrElse({
      pg: () => sql`FOR UPDATE SKIP LOCKED`,
      orElse: () => sql``
    })
    const findRepeated = (key: string) =>
      Effect.map(
        sql<Row>`SELECT ${columns} FROM video_jobs WHERE repeat_key = ${keyText(key)}`,
        firstOf
      )

    /** Whether the account has as many as this that have not ended; no more are counted. */
    const hasUnfinished = (account: string, count: number) =>
      Effect.map(
        sql<{ id: string }>`SELECT id FROM video_jobs WHERE account = ${keyText(account)}
          AND status IN ('pending', 'in_progress') LIMIT 1 OFFSET ${count - 1}`,
        (rows) => rows.length > 0
      )

    const add = Effect.fnUntraced(function* (job: VideoJob, most: number) {
      while (true) {
        const isFull = yield* hasUnfinished(job.account, most)
        if (!isFull) {
          const added = yield* sql`INSERT INTO video_jobs ${sql.insert({
            id: keyText(job.id),
            account: keyText(job.account),
            workspace: keyText(job.workspace),
            repeat_key: job.repeat === undefined ? null : keyText(job.repeat.key),
            ...columnsOf(job)
          })} ON CONFLICT (repeat_key) DO NOTHING RETURNING id`
          if (added.length > 0 || job.repeat === undefined) return job
        }
        const kept = job.repeat === undefined ? undefined : yield* findRepeated(job.repeat.key)
        if (kept !== undefined) return kept
        if (isFull) return yield* new TooManyUnfinished({ most })
        // Forgotten between the two: its key is free again.
      }
    })

    const replace = (turn: number, after: VideoJob) =>
      Effect.map(
        sql`UPDATE video_jobs SET ${sql.update(columnsOf(after))}
          WHERE id = ${keyText(after.id)} AND turn = ${turn} RETURNING id`,
        (rows) => rows.length > 0
      )

    const reserveContent = Effect.fnUntraced(function* (
      turn: number,
      after: VideoJob,
      mostBytes: number
    ) {
      const [found] = yield* sql<{ turn: number | bigint }>`SELECT turn FROM video_jobs
        WHERE id = ${keyText(after.id)}`
      if (found === undefined || Number(found.turn) !== turn) return false
      const [others] = yield* sql<{
        bytes: number | bigint | string | null
      }>`SELECT SUM(content_bytes) AS bytes FROM video_jobs
        WHERE account = ${keyText(after.account)} AND content_bytes > 0 AND id <> ${keyText(after.id)}`
      if (Number(others?.bytes ?? 0) + (after.contentBytes ?? 0) > mostBytes) {
        return yield* new ContentTooLarge({ of: "account", mostBytes })
      }
      return yield* replace(turn, after)
    })

    return {
      add: (job, most) =>
        bounded(alone(sql)("videos", job.account)(add(job, most))).pipe(
          Effect.catchIf(isSqlError, die),
          Effect.catchDefect(die)
        ),
      find: (id) =>
        inTime(
          Effect.map(sql<Row>`SELECT ${columns} FROM video_jobs WHERE id = ${keyText(id)}`, firstOf)
        ),
      findRepeated: (key) => inTime(findRepeated(key)),
      replace: (turn, after) => inTime(replace(turn, after)),
      reserveContent: (turn, after, mostBytes) =>
        bounded(
          alone(sql)("video files", after.account)(reserveContent(turn, after, mostBytes))
        ).pipe(Effect.catchIf(isSqlError, die), Effect.catchDefect(die)),
      claim: ({ limit, now, until }) =>
        inTime(
          Effect.map(
            sql<Row>`UPDATE video_jobs SET turn = turn + 1, due_at = ${until} WHERE id IN (
              SELECT id FROM video_jobs WHERE due_at <= ${now} ORDER BY due_at LIMIT ${limit} ${skipping}
            ) RETURNING ${columns}`,
            (rows) => rows.map(jobOf)
          )
        ),
      reschedule: (id, turn, dueAt) =>
        inTime(
          Effect.map(
            sql`UPDATE video_jobs SET due_at = ${dueAt}
              WHERE id = ${keyText(id)} AND turn = ${turn} RETURNING id`,
            (rows) => rows.length > 0
          )
        ),
      list: (account, { status, workspace }, page) =>
        inTime(
          listed(sql, {
            from: sql`video_jobs WHERE ${sql.and([
              sql`account = ${keyText(account)}`,
              ...(workspace === undefined ? [] : [sql`workspace = ${keyText(workspace)}`]),
              ...(status === undefined ? [] : [sql`status = ${status}`])
            ])}`,
            order: sql`seq DESC`,
            page,
            of: read<VideoJob>
          })
        ),
      forget: (before) =>
        inTime(
          untilNone(sql`DELETE FROM video_jobs WHERE id IN (
            SELECT id FROM video_jobs WHERE ended_at < ${before} LIMIT 500
          ) RETURNING id`)
        )
    }
  })
)

/** What changes of one. */
const columnsOf = (job: VideoJob) => {
  const request = withoutPictures(job.request)
  const pictures = picturesOf(job.request)
  return {
    status: job.status,
    turn: job.turn,
    due_at: job.dueAt ?? null,
    ended_at: job.end?.at ?? null,
    content_bytes: job.contentBytes ?? null,
    document: JSON.stringify({ ...job, request }),
    pictures: pictures === picturesOf(request) ? null : pictures
  }
}

const picturesOf = ({ frame_images, input_references }: VideoJob["request"]): string =>
  JSON.stringify({ frame_images, input_references })

/** A claim, and what is said of it later, changes the columns alone. */
const jobOf = (row: Row): VideoJob => {
  const job = read(row)
  return {
    ...job,
    turn: Number(row.turn),
    ...(row.due_at === null ? undefined : { dueAt: Number(row.due_at) }),
    ...(row.pictures === null
      ? undefined
      : { request: { ...job.request, ...JSON.parse(row.pictures) } })
  }
}

const firstOf = ([row]: ReadonlyArray<Row>): VideoJob | undefined =>
  row === undefined ? undefined : jobOf(row)
