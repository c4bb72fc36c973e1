/** VideoStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable, makeMemoryTables } from "./makeMemoryTable.ts"
import { Settings } from "../instance/Settings.ts"
import { renameVideoJob } from "../domains/people/renameRecords.ts"
import { MemoryPeople, renameValues } from "./MemoryPeople.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import type { VideoJobId } from "../domains/videos/VideoJobId.ts"
import { ContentTooLarge, TooManyActiveJobs } from "../domains/videos/VideoStatus.ts"
import type { VideoJob } from "../domains/videos/VideoJob.ts"
import { stripInlineMedia } from "../domains/videos/request/stripInlineMedia.ts"
import { VideoStore } from "../domains/videos/VideoStore.ts"

/** Evicts the oldest ended job when there are more than `Settings.maxVideoJobs`. */
export const memoryVideoStore: Layer.Layer<VideoStore, never, MemoryJournal> = Layer.effect(
  VideoStore,
  Effect.gen(function* () {
    const { maxVideoJobs } = yield* Settings
    const journal = yield* MemoryJournal
    const jobs = makeMemoryTable<VideoJobId, VideoJob>(journal)
    const idsByIdempotencyKey = makeMemoryTable<string, VideoJobId>(journal)
    const idsByAccount = makeMemoryTables<VideoJobId, VideoJobId>(journal)
    const activeIdsByAccount = makeMemoryTables<VideoJobId, VideoJobId>(journal)

    const people = yield* MemoryPeople
    people.register((renaming) =>
      jobs.edit((draft) =>
        renameValues(draft, (job) =>
          job.account === renaming.account ? renameVideoJob(job, renaming) : job
        )
      )
    )

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
    const addNew = Effect.fnUntraced(function* (job: VideoJob, limit: number) {
      const { account, id, idempotency } = job
      const kept = findJobByKey(idempotency?.key)
      if (kept !== undefined) return kept
      const unfinished = activeIdsByAccount(account)
      if (unfinished.rows.size >= limit) return yield* new TooManyActiveJobs({ limit })
      yield* jobs.edit((draft) => draft.set(id, job))
      yield* idsByAccount(account).edit((draft) => draft.set(id, id))
      yield* unfinished.edit((draft) => draft.set(id, id))
      if (idempotency !== undefined)
        yield* idsByIdempotencyKey.edit((draft) => draft.set(idempotency.key, id))
      yield* forget(listOldestEnded())
      return job
    })
    const replace = Effect.fnUntraced(function* (version: number, after: VideoJob) {
      const { account, end, id } = after
      if (jobs.rows.get(id)?.version !== version) return false
      yield* jobs.edit((draft) => draft.set(id, after))
      if (end !== undefined) yield* activeIdsByAccount(account).edit((draft) => draft.delete(id))
      return true
    })

    const reserveContent = Effect.fnUntraced(function* (
      version: number,
      after: VideoJob,
      maxBytes: number
    ) {
      let bytes = after.contentBytes ?? 0
      for (const id of idsByAccount(after.account).rows.keys()) {
        if (id !== after.id) bytes += jobs.rows.get(id)?.contentBytes ?? 0
      }
      if (jobs.rows.get(after.id)?.version === version && bytes > maxBytes) {
        return yield* new ContentTooLarge({ scope: "account", maxBytes })
      }
      return yield* replace(version, after)
    })

    return {
      add: (job, limit) => journal.withTransaction(addNew(job, limit)),
      find: (id) => Effect.sync(() => jobs.rows.get(id)),
      findByIdempotencyKey: (key) => Effect.sync(() => findJobByKey(key)),
      replace: (version, after) => journal.withTransaction(replace(version, after)),
      reserveContent: (version, after, maxBytes) =>
        journal.withTransaction(reserveContent(version, after, maxBytes)),
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
      reschedule: (id, version, dueAt) =>
        jobs.edit((draft) => {
          const job = draft.get(id)
          if (job?.version !== version) return false
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

const toListedJob = (job: VideoJob): VideoJob => ({
  ...job,
  request: stripInlineMedia(job.request)
})
