/** Keeps the files of completed jobs where the host wants them, and lets go of them in time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { JobStep } from "../../jobs/DurableJobs.ts"
import * as JobKind from "../../jobs/JobKind.ts"
import { deferMillis } from "../../jobs/deferMillis.ts"
import { Settings } from "../../Settings.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { type BlobFailed, OptionalBlobStore, type BlobStore } from "./BlobStore.ts"
import { makeVideoUpstream } from "../poll/VideoUpstream.ts"
import { ContentTooLarge } from "../VideoErrors.ts"
import type { VideoEnd, VideoJob } from "../VideoJob.ts"
import { VideoJobId } from "../VideoJobId.ts"
import { VideoStore } from "../VideoStore.ts"

const StoreContentStep = Schema.Struct({
  id: VideoJobId,
  /** How often there was no room at its provider; absent: never. */
  deferrals: Schema.optionalKey(Schema.Int)
})
type StoreContentStep = typeof StoreContentStep.Type

/** How many jobs' files one process keeps at once. */
export const storeContentConcurrency = 4

/** Providers may take their time for a long file. */
export const storeContentKind = JobKind.make({
  name: "video.keep",
  payload: StoreContentStep,
  concurrency: storeContentConcurrency,
  timeoutMillis: 900_000
})

export const toStoreContentStep = (id: VideoJobId): JobStep<StoreContentStep> => ({
  id,
  key: `${id}-keep`,
  payload: { id }
})

/** The same once more, after there was no room; `random` is from 0 up to 1. */
export const toDeferredStoreContentStep = (
  { id, deferrals }: Required<StoreContentStep>,
  random: number
): JobStep<StoreContentStep> => ({
  id,
  key: `${id}-keep-${deferrals}`,
  payload: { id, deferrals },
  delay: deferMillis(deferrals, random)
})

/** Milliseconds from one look for files of which nobody here knows the place to the next. */
const missingBlobStoreRetryMillis = 3_600_000

export const toBlobName = (id: VideoJobId, index: number): string => `${id}-${index}`

const contentTooLongFailure = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the content is longer than its stated length"
})

/** A job whose files are being kept, as this step wrote it last. */
interface StoreContentProgress {
  job: VideoJob
  /** Of the files kept so far. */
  bytes: number
  readonly storedFiles: Array<{ readonly index: number; readonly contentType: string }>
}

export const makeVideoContentArchive = Effect.gen(function* () {
  const blobs = yield* OptionalBlobStore
  const reach = yield* makeVideoUpstream
  const { videoContentRetentionMillis, maxVideoFileBytes, maxVideoFileBytesPerAccount } =
    yield* Settings
  const store = yield* VideoStore

  /** False: somebody else wrote to the job, or its provider has gone. */
  const storeFile: (
    keeping: StoreContentProgress,
    output: VideoEnd["outputs"][number],
    into: BlobStore
  ) => Effect.Effect<boolean, BlobFailed | ContentTooLarge | UpstreamFailure> = Effect.fnUntraced(
    function* (keeping, output, into) {
      const { account, id, assignment, version } = keeping.job
      const capability = assignment === undefined ? undefined : reach.findCapability(assignment)
      if (assignment === undefined || capability === undefined) return true
      const { bytes, contentType, length } = yield* reach.call({ account, assignment }, (at) =>
        capability.getContent({ ...at, ...output })
      )
      // A provider that does not say how long a file is may send any number of bytes.
      const mostBytes = length ?? maxVideoFileBytes
      const tooLarge = new ContentTooLarge({ scope: "file", maxBytes: maxVideoFileBytes })
      if (mostBytes > maxVideoFileBytes) return yield* tooLarge
      const reserved: VideoJob = {
        ...keeping.job,
        version: version + 1,
        contentBytes: keeping.bytes + mostBytes
      }
      if (!(yield* store.reserveContent(version, reserved, maxVideoFileBytesPerAccount)))
        return false
      keeping.job = reserved
      let size = 0
      const counted = Stream.map(bytes, (piece) => {
        size += piece.byteLength
        return piece
      })
      yield* into.put(
        toBlobName(id, output.index),
        Stream.limitBytes<UpstreamFailure | ContentTooLarge, never>(counted, mostBytes, () =>
          Stream.fail(length === undefined ? tooLarge : contentTooLongFailure)
        )
      )
      keeping.bytes += size
      keeping.storedFiles.push({ index: output.index, contentType })
      return true
    },
    Effect.scoped
  )

  const storeFiles = Effect.fnUntraced(function* (
    keeping: StoreContentProgress,
    outputs: VideoEnd["outputs"],
    into: BlobStore
  ) {
    for (const output of outputs) if (!(yield* storeFile(keeping, output, into))) return false
    return true
  })

  /** What was kept of it until something failed is let go of by whoever looks next. */
  const abandonContent = Effect.fnUntraced(function* (id: VideoJobId) {
    const job = yield* store.find(id)
    if (blobs === undefined || job?.end === undefined || job.end.storedFiles !== undefined) return
    const dueAt = yield* Clock.currentTimeMillis
    yield* store.replace(job.version, { ...job, version: job.version + 1, dueAt })
  })

  /** It stays completed. What was kept of it is removed by whoever looks next, which is at once. */
  const leaveAtProvider = Effect.fnUntraced(function* (
    job: VideoJob,
    end: VideoEnd,
    { maxBytes, scope }: ContentTooLarge
  ) {
    const notStoredReason =
      scope === "file"
        ? `A file has more than ${maxBytes} bytes (maxVideoFileBytes)`
        : `The account has ${maxBytes} bytes of files (maxVideoFileBytesPerAccount)`
    yield* Effect.logWarning(`the files of ${job.id} are not kept: ${notStoredReason}`)
    const dueAt = yield* Clock.currentTimeMillis
    const after: VideoJob = {
      ...job,
      version: job.version + 1,
      dueAt,
      end: { ...end, notStoredReason }
    }
    yield* store.replace(job.version, after)
  })

  return {
    giveUp: abandonContent,
    storeContent: Effect.fnUntraced(function* (job: VideoJob) {
      const { end, id, assignment } = job
      if (blobs === undefined || assignment === undefined || end === undefined) return
      if (job.status !== "completed" || end.storedFiles !== undefined) return
      if (end.notStoredReason !== undefined) return
      if (end.contentUntil <= (yield* Clock.currentTimeMillis)) return yield* abandonContent(id)
      const keeping: StoreContentProgress = { job, bytes: 0, storedFiles: [] }
      const isKept = yield* Effect.catchTag(
        storeFiles(keeping, end.outputs, blobs),
        "ContentTooLarge",
        (error) => Effect.as(leaveAtProvider(keeping.job, end, error), false)
      )
      if (!isKept) return
      // What the provider does with its own copy does not matter any more.
      const contentUntil = end.at + videoContentRetentionMillis
      yield* store.replace(keeping.job.version, {
        ...keeping.job,
        version: keeping.job.version + 1,
        dueAt: contentUntil,
        contentBytes: keeping.bytes,
        end: { ...end, contentUntil, storedFiles: keeping.storedFiles }
      })
    }),
    deleteContent: Effect.fnUntraced(function* (job: VideoJob) {
      const { end, id } = job
      if (end === undefined) return
      if (blobs === undefined) {
        // Somebody who has the place may come back, and nobody else can do it.
        const now = yield* Clock.currentTimeMillis
        yield* store.reschedule(id, job.version, now + missingBlobStoreRetryMillis)
        return
      }
      // All that there may be of it: keeping may have been broken off.
      yield* Effect.forEach(end.outputs, ({ index }) => blobs.remove(toBlobName(id, index)), {
        discard: true
      })
      yield* store.replace(job.version, {
        ...Struct.omit(job, ["contentBytes", "dueAt"]),
        version: job.version + 1,
        end: Struct.omit(end, ["storedFiles"])
      })
    })
  }
})
