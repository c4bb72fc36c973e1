/** Keeps the files of completed jobs where the host wants them, and lets go of them in time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { Offered } from "../jobs/DurableJobs.ts"
import * as JobKind from "../jobs/JobKind.ts"
import { putOffMillis } from "../jobs/putOffMillis.ts"
import { Settings } from "../Settings.ts"
import { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { type BlobFailed, Blobs, type BlobStore } from "./BlobStore.ts"
import { reaching } from "./reaching.ts"
import { ContentTooLarge } from "./VideoErrors.ts"
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

const longerThanStated = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the content is longer than its stated length"
})

/** A job whose files are being kept, as this step wrote it last. */
interface Keeping {
  job: VideoJob
  /** Of the files kept so far. */
  bytes: number
  readonly kept: Array<{ readonly index: number; readonly contentType: string }>
}

export const keeping = Effect.gen(function* () {
  const blobs = yield* Blobs
  const reach = yield* reaching
  const { videoContentMillis, videoFileLimitBytes, videoFilesLimitBytes } = yield* Settings
  const store = yield* VideoStore

  /** False: somebody else wrote to the job, or its provider has gone. */
  const keepOne: (
    keeping: Keeping,
    output: VideoEnd["outputs"][number],
    into: BlobStore
  ) => Effect.Effect<boolean, BlobFailed | ContentTooLarge | UpstreamFailure> = Effect.fnUntraced(
    function* (keeping, output, into) {
      const { account, id, place, turn } = keeping.job
      const capability = place === undefined ? undefined : reach.capabilityOf(place)
      if (place === undefined || capability === undefined) return true
      const { bytes, contentType, length } = yield* reach.at({ account, place }, (at) =>
        capability.content({ ...at, ...output })
      )
      // A provider that does not say how long a file is may send any number of bytes.
      const mostBytes = length ?? videoFileLimitBytes
      const tooLarge = new ContentTooLarge({ of: "file", mostBytes: videoFileLimitBytes })
      if (mostBytes > videoFileLimitBytes) return yield* tooLarge
      const reserved = { ...keeping.job, turn: turn + 1, contentBytes: keeping.bytes + mostBytes }
      if (!(yield* store.reserveContent(turn, reserved, videoFilesLimitBytes))) return false
      keeping.job = reserved
      let size = 0
      const counted = Stream.map(bytes, (piece) => {
        size += piece.byteLength
        return piece
      })
      yield* into.put(
        blobName(id, output.index),
        Stream.limitBytes<UpstreamFailure | ContentTooLarge, never>(counted, mostBytes, () =>
          Stream.fail(length === undefined ? tooLarge : longerThanStated)
        )
      )
      keeping.bytes += size
      keeping.kept.push({ index: output.index, contentType })
      return true
    },
    Effect.scoped
  )

  const keepAll = Effect.fnUntraced(function* (
    keeping: Keeping,
    outputs: VideoEnd["outputs"],
    into: BlobStore
  ) {
    for (const output of outputs) if (!(yield* keepOne(keeping, output, into))) return false
    return true
  })

  /** What was kept of it until something failed is let go of by whoever looks next. */
  const giveUp = Effect.fnUntraced(function* (id: VideoJobId) {
    const job = yield* store.find(id)
    if (blobs === undefined || job?.end === undefined || job.end.kept !== undefined) return
    const dueAt = yield* Clock.currentTimeMillis
    yield* store.replace(job.turn, { ...job, turn: job.turn + 1, dueAt })
  })

  /** It stays completed. What was kept of it is removed by whoever looks next, which is at once. */
  const leaveAtProvider = Effect.fnUntraced(function* (
    job: VideoJob,
    end: VideoEnd,
    { mostBytes, of }: ContentTooLarge
  ) {
    const notKept =
      of === "file"
        ? `A file has more than ${mostBytes} bytes (videoFileLimitBytes)`
        : `The account has ${mostBytes} bytes of files (videoFilesLimitBytes)`
    yield* Effect.logWarning(`the files of ${job.id} are not kept: ${notKept}`)
    const dueAt = yield* Clock.currentTimeMillis
    const after = { ...job, turn: job.turn + 1, dueAt, end: { ...end, notKept } }
    yield* store.replace(job.turn, after)
  })

  return {
    giveUp,
    keep: Effect.fnUntraced(function* (job: VideoJob) {
      const { end, id, place } = job
      if (blobs === undefined || place === undefined || end === undefined) return
      if (job.status !== "completed" || end.kept !== undefined) return
      if (end.notKept !== undefined) return
      if (end.contentUntil <= (yield* Clock.currentTimeMillis)) return yield* giveUp(id)
      const keeping: Keeping = { job, bytes: 0, kept: [] }
      const isKept = yield* Effect.catchTag(
        keepAll(keeping, end.outputs, blobs),
        "ContentTooLarge",
        (error) => Effect.as(leaveAtProvider(keeping.job, end, error), false)
      )
      if (!isKept) return
      // What the provider does with its own copy does not matter any more.
      const contentUntil = end.at + videoContentMillis
      yield* store.replace(keeping.job.turn, {
        ...keeping.job,
        turn: keeping.job.turn + 1,
        dueAt: contentUntil,
        contentBytes: keeping.bytes,
        end: { ...end, contentUntil, kept: keeping.kept }
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
        ...Struct.omit(job, ["contentBytes", "dueAt"]),
        turn: job.turn + 1,
        end: Struct.omit(end, ["kept"])
      })
    })
  }
})
