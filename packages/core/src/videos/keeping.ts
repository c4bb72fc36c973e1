/** Keeps the files of completed jobs where the host wants them, and lets go of them in time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Offered } from "../jobs/DurableJobs.ts"
import * as JobKind from "../jobs/JobKind.ts"
import { putOffMillis } from "../jobs/putOffMillis.ts"
import { Settings } from "../Settings.ts"
import { Blobs, type BlobStore } from "./BlobStore.ts"
import { reaching } from "./reaching.ts"
import type { VideoEnd, VideoJob } from "./VideoJob.ts"
import { VideoJobId } from "./VideoJobId.ts"
import { VideoStore } from "./VideoStore.ts"

const KeepStep = Schema.Struct({
  id: VideoJobId,
  /** How often there was no room at its provider; absent: never. */
  put_off: Schema.optionalKey(Schema.Int)
})
type KeepStep = typeof KeepStep.Type

/** How many jobs' files one process keeps at once. */
export const keepConcurrency = 4

/** Providers may take their time for a long file. */
export const keepKind = JobKind.make({
  name: "video.keep",
  payload: KeepStep,
  concurrency: keepConcurrency,
  deadlineMillis: 900_000
})

export const keepStep = (id: VideoJobId): Offered<KeepStep> => ({
  id,
  key: `${id}-keep`,
  payload: { id }
})

/** The same once more, after there was no room; `random` is from 0 up to 1. */
export const keepLaterStep = (
  { id, put_off }: Required<KeepStep>,
  random: number
): Offered<KeepStep> => ({
  id,
  key: `${id}-keep-${put_off}`,
  payload: { id, put_off },
  delay: putOffMillis(put_off, random)
})

/** Milliseconds from one look for files of which nobody here knows the place to the next. */
const withoutPlaceMillis = 3_600_000

export const blobName = (id: VideoJobId, index: number): string => `${id}-${index}`

export const keeping = Effect.gen(function* () {
  const blobs = yield* Blobs
  const reach = yield* reaching
  const { videoContentMillis } = yield* Settings
  const store = yield* VideoStore

  const keepOne = Effect.fnUntraced(function* (
    { account, id, place }: Required<Pick<VideoJob, "account" | "id" | "place">>,
    output: VideoEnd["outputs"][number],
    into: BlobStore
  ) {
    const capability = reach.capabilityOf(place)
    if (capability === undefined) return []
    const { bytes, contentType } = yield* reach.at({ account, place }, (at) =>
      capability.content({ ...at, ...output })
    )
    yield* into.put(blobName(id, output.index), bytes)
    return [{ index: output.index, contentType }]
  }, Effect.scoped)

  /** What was kept of it until something failed is let go of by whoever looks next. */
  const giveUp = Effect.fnUntraced(function* (id: VideoJobId) {
    const job = yield* store.find(id)
    if (blobs === undefined || job?.end === undefined || job.end.kept !== undefined) return
    const dueAt = yield* Clock.currentTimeMillis
    yield* store.replace(job.turn, { ...job, turn: job.turn + 1, dueAt })
  })

  return {
    giveUp,
    keep: Effect.fnUntraced(function* (job: VideoJob) {
      const { account, end, id, place } = job
      if (blobs === undefined || place === undefined || end === undefined) return
      if (job.status !== "completed" || end.kept !== undefined) return
      if (end.contentUntil <= (yield* Clock.currentTimeMillis)) return yield* giveUp(id)
      const kept = yield* Effect.forEach(end.outputs, (output) =>
        keepOne({ account, id, place }, output, blobs)
      )
      // What the provider does with its own copy does not matter any more.
      const contentUntil = end.at + videoContentMillis
      yield* store.replace(job.turn, {
        ...job,
        turn: job.turn + 1,
        dueAt: contentUntil,
        end: { ...end, contentUntil, kept: kept.flat() }
      })
    }),
    letGo: Effect.fnUntraced(function* (job: VideoJob) {
      const { end, id } = job
      if (end === undefined) return
      if (blobs === undefined) {
        // Somebody who has the place may come back, and nobody else can do it.
        const now = yield* Clock.currentTimeMillis
        yield* store.reschedule(id, job.turn, now + withoutPlaceMillis)
        return
      }
      // All that there may be of it: keeping may have been broken off.
      yield* Effect.forEach(end.outputs, ({ index }) => blobs.remove(blobName(id, index)), {
        discard: true
      })
      yield* store.replace(job.turn, {
        ...Struct.omit(job, ["dueAt"]),
        turn: job.turn + 1,
        end: Struct.omit(end, ["kept"])
      })
    })
  }
})
