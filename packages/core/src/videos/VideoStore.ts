/** Where video jobs are kept, until some time after they ended. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { makeMemoryTable, makeMemoryTables } from "../makeMemoryTable.ts"
import { Settings } from "../Settings.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import { type OffsetRequest, type OffsetPage, toOffsetPage } from "../values/pages/OffsetPage.ts"
import { ContentTooLarge, TooManyActiveJobs } from "./VideoErrors.ts"
import type { VideoJob } from "./VideoJob.ts"
import type { VideoJobId } from "./VideoJobId.ts"
import type { VideoStatus } from "./VideoStatus.ts"
import { stripInlineMedia } from "./request/stripInlineMedia.ts"

/** Which jobs of an account are listed. */
export interface VideoFilter {
  readonly workspace?: string
  readonly status?: VideoStatus
}

/** How many due jobs to take, and when they are due again. */
export interface VideoClaim {
  /** Milliseconds since the epoch: what was due until then is taken. */
  readonly now: number
  /** When it is due again. */
  readonly until: number
  readonly limit: number
}

/** Keeps video jobs, one row each. */
export class VideoStore extends Context.Service<
  VideoStore,
  {
    /**
     * Race: of several with one `repeat.key` one is kept, and all are told of that one. Of others none is kept
     * beyond `most` of its account that have not ended, however many come at once. An id is never given twice.
     */
    readonly add: (job: VideoJob, limit: number) => Effect.Effect<VideoJob, TooManyActiveJobs>
    readonly find: (id: VideoJobId) => Effect.Effect<VideoJob | undefined>
    /** The one that is kept under a `repeat.key`. */
    readonly findByIdempotencyKey: (key: string) => Effect.Effect<VideoJob | undefined>
    /** Race: false, and nothing is done, unless the one there is has this turn. */
    readonly replace: (version: number, after: VideoJob) => Effect.Effect<boolean>
    /**
     * Replaces a job by one that sets room aside for its files (`contentBytes`). False, and nothing is done, unless
     * the one there is has this turn. Race: the `contentBytes` of an account stay within `maxBytes` together,
     * however many come at once.
     */
    readonly reserveContent: (
      version: number,
      after: VideoJob,
      maxBytes: number
    ) => Effect.Effect<boolean, ContentTooLarge>
    /**
     * Takes those that are due, the longest due first, and says when they are due again; each in its next
     * turn. Race: of several who claim at once, one gets a job.
     */
    readonly claim: (claim: VideoClaim) => Effect.Effect<ReadonlyArray<VideoJob>>
    /**
     * Says when a claimed one is due again; it stays in its turn. Race: false, and nothing is done, unless
     * the one there is has this turn.
     */
    readonly reschedule: (id: VideoJobId, version: number, dueAt: number) => Effect.Effect<boolean>
    /** The latest first, without the bytes of their pictures. */
    readonly list: (
      account: AccountId,
      filter: VideoFilter,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<VideoJob>>
    /** Forgets those that ended before this time, in milliseconds since the epoch. */
    readonly purgeEnded: (before: number) => Effect.Effect<void>
  }
>()("@signalbox/core/videos/VideoStore") {
  /** Forgets the oldest that ended when there are more than `Settings.maxVideoJobs`. */
  static readonly layerMemory: Layer.Layer<VideoStore, never, MemoryJournal> = Layer.effect(
    VideoStore,
    Effect.gen(function* () {
      const { maxVideoJobs } = yield* Settings
      const journal = yield* MemoryJournal
      const jobs = makeMemoryTable<VideoJobId, VideoJob>(journal)
      const idsByIdempotencyKey = makeMemoryTable<string, VideoJobId>(journal)
      /** Those of each account, and of those the ones that have not ended. */
      const idsByAccount = makeMemoryTables<VideoJobId, VideoJobId>(journal)
      const activeIdsByAccount = makeMemoryTables<VideoJobId, VideoJobId>(journal)

      const findJobByKey = (key: string | undefined): VideoJob | undefined => {
        const id = key === undefined ? undefined : idsByIdempotencyKey.rows.get(key)
        return id === undefined ? undefined : jobs.rows.get(id)
      }
      const removeJob = Effect.fnUntraced(function* ({ account, id, idempotency }: VideoJob) {
        yield* jobs.edit((draft) => draft.delete(id))
        yield* idsByAccount(account).edit((draft) => draft.delete(id))
        if (idempotency !== undefined)
          yield* idsByIdempotencyKey.edit((draft) => draft.delete(idempotency.key))
      })
      const forget = (ended: ReadonlyArray<VideoJob>): Effect.Effect<void> =>
        journal.withTransaction(Effect.forEach(ended, removeJob, { discard: true }))
      const listOldestEnded = (): ReadonlyArray<VideoJob> => {
        if (jobs.rows.size <= maxVideoJobs) return []
        for (const job of jobs.rows.values()) if (job.end !== undefined) return [job]
        return []
      }
      const addNew = Effect.fnUntraced(function* (job: VideoJob, most: number) {
        const { account, id, idempotency } = job
        const kept = findJobByKey(idempotency?.key)
        if (kept !== undefined) return kept
        const unfinished = activeIdsByAccount(account)
        if (unfinished.rows.size >= most) return yield* new TooManyActiveJobs({ limit: most })
        yield* jobs.edit((draft) => draft.set(id, job))
        yield* idsByAccount(account).edit((draft) => draft.set(id, id))
        yield* unfinished.edit((draft) => draft.set(id, id))
        if (idempotency !== undefined)
          yield* idsByIdempotencyKey.edit((draft) => draft.set(idempotency.key, id))
        yield* forget(listOldestEnded())
        return job
      })
      const replace = Effect.fnUntraced(function* (turn: number, after: VideoJob) {
        const { account, end, id } = after
        if (jobs.rows.get(id)?.version !== turn) return false
        yield* jobs.edit((draft) => draft.set(id, after))
        if (end !== undefined) yield* activeIdsByAccount(account).edit((draft) => draft.delete(id))
        return true
      })

      const reserveContent = Effect.fnUntraced(function* (
        turn: number,
        after: VideoJob,
        maxBytes: number
      ) {
        let bytes = after.contentBytes ?? 0
        for (const id of idsByAccount(after.account).rows.keys()) {
          if (id !== after.id) bytes += jobs.rows.get(id)?.contentBytes ?? 0
        }
        if (jobs.rows.get(after.id)?.version === turn && bytes > maxBytes) {
          return yield* new ContentTooLarge({ scope: "account", maxBytes })
        }
        return yield* replace(turn, after)
      })

      return {
        add: (job, most) => journal.withTransaction(addNew(job, most)),
        find: (id) => Effect.sync(() => jobs.rows.get(id)),
        findByIdempotencyKey: (key) => Effect.sync(() => findJobByKey(key)),
        replace: (turn, after) => journal.withTransaction(replace(turn, after)),
        reserveContent: (turn, after, mostBytes) =>
          journal.withTransaction(reserveContent(turn, after, mostBytes)),
        claim: ({ limit, now, until }) =>
          jobs.edit((draft) =>
            Array.from(jobs.rows.values())
              .filter(({ dueAt = Infinity }) => dueAt <= now)
              .toSorted((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0))
              .slice(0, limit)
              .map((due) => {
                const claimed = { ...due, version: due.version + 1, dueAt: until }
                draft.set(due.id, claimed)
                return claimed
              })
          ),
        reschedule: (id, turn, dueAt) =>
          jobs.edit((draft) => {
            const job = draft.get(id)
            if (job?.version !== turn) return false
            draft.set(id, { ...job, dueAt })
            return true
          }),
        list: (account, { status, workspace }, page) =>
          Effect.sync(() => {
            const found = Array.from(idsByAccount(account).newestFirst()).flatMap(({ row: id }) => {
              const job = jobs.rows.get(id)
              return job !== undefined &&
                (workspace === undefined || job.workspace === workspace) &&
                (status === undefined || job.status === status)
                ? [job]
                : []
            })
            const { rows, total } = toOffsetPage(found, page)
            return { rows: rows.map(toListedJob), total }
          }),
        purgeEnded: (before) =>
          Effect.suspend(() =>
            forget(Array.from(jobs.rows.values()).filter(({ end }) => (end?.at ?? before) < before))
          )
      }
    })
  )
}

/** Once it has ended there is nothing left to be cut off. */
const toListedJob = (job: VideoJob): VideoJob => ({
  ...job,
  request: stripInlineMedia(job.request)
})
