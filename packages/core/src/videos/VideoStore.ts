/** Where video jobs are kept, until some time after they ended. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { memoryTable, memoryTables } from "../memoryTable.ts"
import { Settings } from "../Settings.ts"
import type { AccountId } from "../values/AccountId.ts"
import { type Page, type Paged, paged } from "../values/Page.ts"
import { ContentTooLarge, TooManyUnfinished } from "./VideoErrors.ts"
import type { VideoJob } from "./VideoJob.ts"
import type { VideoJobId } from "./VideoJobId.ts"
import type { VideoStatus } from "./VideoStatus.ts"
import { withoutPictures } from "./withoutPictures.ts"

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
    readonly add: (job: VideoJob, most: number) => Effect.Effect<VideoJob, TooManyUnfinished>
    readonly find: (id: VideoJobId) => Effect.Effect<VideoJob | undefined>
    /** The one that is kept under a `repeat.key`. */
    readonly findRepeated: (key: string) => Effect.Effect<VideoJob | undefined>
    /** Race: false, and nothing is done, unless the one there is has this turn. */
    readonly replace: (turn: number, after: VideoJob) => Effect.Effect<boolean>
    /**
     * Replaces a job by one that sets room aside for its files (`contentBytes`). False, and nothing is done, unless
     * the one there is has this turn. Race: the `contentBytes` of an account stay within `mostBytes` together,
     * however many come at once.
     */
    readonly reserveContent: (
      turn: number,
      after: VideoJob,
      mostBytes: number
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
    readonly reschedule: (id: VideoJobId, turn: number, dueAt: number) => Effect.Effect<boolean>
    /** The latest first, without the bytes of their pictures. */
    readonly list: (
      account: AccountId,
      filter: VideoFilter,
      page: Page
    ) => Effect.Effect<Paged<VideoJob>>
    /** Forgets those that ended before this time, in milliseconds since the epoch. */
    readonly forget: (before: number) => Effect.Effect<void>
  }
>()("@signalbox/core/videos/VideoStore") {
  /** Forgets the oldest that ended when there are more than `Settings.videoJobsKept`. */
  static readonly layerMemory: Layer.Layer<VideoStore, never, MemoryJournal> = Layer.effect(
    VideoStore,
    Effect.gen(function* () {
      const { videoJobsKept } = yield* Settings
      const journal = yield* MemoryJournal
      const jobs = memoryTable<VideoJobId, VideoJob>(journal)
      const repeats = memoryTable<string, VideoJobId>(journal)
      /** Those of each account, and of those the ones that have not ended. */
      const idsOf = memoryTables<VideoJobId, VideoJobId>(journal)
      const unfinishedOf = memoryTables<VideoJobId, VideoJobId>(journal)

      const repeated = (key: string | undefined): VideoJob | undefined => {
        const id = key === undefined ? undefined : repeats.rows.get(key)
        return id === undefined ? undefined : jobs.rows.get(id)
      }
      const forgetOne = Effect.fnUntraced(function* ({ account, id, repeat }: VideoJob) {
        yield* jobs.edit((draft) => draft.delete(id))
        yield* idsOf(account).edit((draft) => draft.delete(id))
        if (repeat !== undefined) yield* repeats.edit((draft) => draft.delete(repeat.key))
      })
      const forget = (ended: ReadonlyArray<VideoJob>): Effect.Effect<void> =>
        journal.atomically(Effect.forEach(ended, forgetOne, { discard: true }))
      const oldestEnded = (): ReadonlyArray<VideoJob> => {
        if (jobs.rows.size <= videoJobsKept) return []
        for (const job of jobs.rows.values()) if (job.end !== undefined) return [job]
        return []
      }
      const addNew = Effect.fnUntraced(function* (job: VideoJob, most: number) {
        const { account, id, repeat } = job
        const kept = repeated(repeat?.key)
        if (kept !== undefined) return kept
        const unfinished = unfinishedOf(account)
        if (unfinished.rows.size >= most) return yield* new TooManyUnfinished({ most })
        yield* jobs.edit((draft) => draft.set(id, job))
        yield* idsOf(account).edit((draft) => draft.set(id, id))
        yield* unfinished.edit((draft) => draft.set(id, id))
        if (repeat !== undefined) yield* repeats.edit((draft) => draft.set(repeat.key, id))
        yield* forget(oldestEnded())
        return job
      })
      const replace = Effect.fnUntraced(function* (turn: number, after: VideoJob) {
        const { account, end, id } = after
        if (jobs.rows.get(id)?.turn !== turn) return false
        yield* jobs.edit((draft) => draft.set(id, after))
        if (end !== undefined) yield* unfinishedOf(account).edit((draft) => draft.delete(id))
        return true
      })

      const reserveContent = Effect.fnUntraced(function* (
        turn: number,
        after: VideoJob,
        mostBytes: number
      ) {
        let bytes = after.contentBytes ?? 0
        for (const id of idsOf(after.account).rows.keys()) {
          if (id !== after.id) bytes += jobs.rows.get(id)?.contentBytes ?? 0
        }
        if (jobs.rows.get(after.id)?.turn === turn && bytes > mostBytes) {
          return yield* new ContentTooLarge({ of: "account", mostBytes })
        }
        return yield* replace(turn, after)
      })

      return {
        add: (job, most) => journal.atomically(addNew(job, most)),
        find: (id) => Effect.sync(() => jobs.rows.get(id)),
        findRepeated: (key) => Effect.sync(() => repeated(key)),
        replace: (turn, after) => journal.atomically(replace(turn, after)),
        reserveContent: (turn, after, mostBytes) =>
          journal.atomically(reserveContent(turn, after, mostBytes)),
        claim: ({ limit, now, until }) =>
          jobs.edit((draft) =>
            Array.from(jobs.rows.values())
              .filter(({ dueAt = Infinity }) => dueAt <= now)
              .toSorted((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0))
              .slice(0, limit)
              .map((due) => {
                const claimed = { ...due, turn: due.turn + 1, dueAt: until }
                draft.set(due.id, claimed)
                return claimed
              })
          ),
        reschedule: (id, turn, dueAt) =>
          jobs.edit((draft) => {
            const job = draft.get(id)
            if (job?.turn !== turn) return false
            draft.set(id, { ...job, dueAt })
            return true
          }),
        list: (account, { status, workspace }, page) =>
          Effect.sync(() => {
            const found = Array.from(idsOf(account).newest()).flatMap(({ row: id }) => {
              const job = jobs.rows.get(id)
              return job !== undefined &&
                (workspace === undefined || job.workspace === workspace) &&
                (status === undefined || job.status === status)
                ? [job]
                : []
            })
            const { rows, total } = paged(found, page)
            return { rows: rows.map(listedAs), total }
          }),
        forget: (before) =>
          Effect.suspend(() =>
            forget(Array.from(jobs.rows.values()).filter(({ end }) => (end?.at ?? before) < before))
          )
      }
    })
  )
}

/** Once it has ended there is nothing left to be cut off. */
const listedAs = (job: VideoJob): VideoJob => ({ ...job, request: withoutPictures(job.request) })
