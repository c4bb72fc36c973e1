/** Copies the files of completed jobs to the host's blob store, and deletes them after the retention. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import type { JobStep } from "../../../engine/jobs/DurableJobs.ts"
import * as JobKind from "../../../engine/jobs/JobKind.ts"
import { deferMillis } from "../../../engine/jobs/deferMillis.ts"
import { Settings } from "../../../instance/Settings.ts"
import { UpstreamFailure } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import { type BlobFailed, OptionalBlobStore, type BlobStore } from "../../../instance/BlobStore.ts"
import { VideoUpstream } from "../poll/VideoUpstream.ts"
import { VideoJobId } from "../VideoJobId.ts"
import { ContentTooLarge } from "../VideoStatus.ts"
import type { VideoEnd, VideoJob } from "../VideoJob.ts"
import { VideoStore } from "../VideoStore.ts"

const StoreContentStep = Schema.Struct({
  id: VideoJobId,
  /** How often the step was deferred because the bulkhead of its provider was full; default 0. */
  deferrals: Schema.optionalKey(Schema.Int)
})
type StoreContentStep = typeof StoreContentStep.Type

/** The number of jobs whose files one process copies at the same time. */
export const storeContentConcurrency = 4

/** The timeout allows for long files. */
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

/** The same step, deferred because the bulkhead was full; `random` is in [0, 1). */
export const toDeferredStoreContentStep = (
  { id, deferrals }: Required<StoreContentStep>,
  random: number
): JobStep<StoreContentStep> => ({
  id,
  key: `${id}-keep-${deferrals}`,
  payload: { id, deferrals },
  delay: deferMillis(deferrals, random)
})

/** Milliseconds until a job is checked again when this process has no blob store. */
const missingBlobStoreRetryMillis = 3_600_000

export const toBlobName = (id: VideoJobId, index: number): string => `${id}-${index}`

const contentTooLongFailure = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the content is longer than its Content-Length"
})

/** A job whose files are being copied, as this step last wrote it. */
interface StoreContentProgress {
  job: VideoJob
  /** Size of the files copied so far. */
  bytes: number
  readonly storedFiles: Array<{ readonly index: number; readonly contentType: string }>
}

/** Stores and deletes the files of jobs. */
export class VideoContentArchive extends Context.Service<
  VideoContentArchive,
  {
    /** Copies all files of a completed job. */
    readonly storeContent: (job: VideoJob) => Effect.Effect<void, BlobFailed | UpstreamFailure>
    /** Leaves the files at the provider, after copying them has failed for good. */
    readonly abandonContent: (id: VideoJobId) => Effect.Effect<void>
    readonly deleteContent: (job: VideoJob) => Effect.Effect<void, BlobFailed>
  }
>()("@signalbox/core/domains/videos/content/VideoContentArchive") {
  static readonly layer = Layer.effect(
    VideoContentArchive,
    Effect.gen(function* () {
      const blobs = yield* OptionalBlobStore
      const upstream = yield* VideoUpstream
      const { videoContentRetentionMillis, maxVideoFileBytes, maxVideoFileBytesPerAccount } =
        yield* Settings
      const store = yield* VideoStore

      /** False when another writer changed the job. */
      const storeFile: (
        progress: StoreContentProgress,
        output: VideoEnd["outputs"][number],
        target: BlobStore
      ) => Effect.Effect<boolean, BlobFailed | ContentTooLarge | UpstreamFailure> =
        Effect.fnUntraced(function* (progress, output, target) {
          const { id, assignment, version } = progress.job
          const capability =
            assignment === undefined ? undefined : upstream.findCapability(assignment)
          if (assignment === undefined || capability === undefined) return true
          const { bytes, contentType, length } = yield* upstream.call(
            { ...progress.job, assignment },
            (at) => capability.getContent({ ...at, ...output })
          )
          // Without a Content-Length the provider may send any number of bytes.
          const mostBytes = length ?? maxVideoFileBytes
          const tooLarge = new ContentTooLarge({ scope: "file", maxBytes: maxVideoFileBytes })
          if (mostBytes > maxVideoFileBytes) return yield* tooLarge
          const reserved: VideoJob = {
            ...progress.job,
            version: version + 1,
            contentBytes: progress.bytes + mostBytes
          }
          if (!(yield* store.reserveContent(version, reserved, maxVideoFileBytesPerAccount)))
            return false
          progress.job = reserved
          let size = 0
          const counted = Stream.map(bytes, (chunk) => {
            size += chunk.byteLength
            return chunk
          })
          yield* target.put(
            toBlobName(id, output.index),
            Stream.limitBytes<UpstreamFailure | ContentTooLarge, never>(counted, mostBytes, () =>
              Stream.fail(length === undefined ? tooLarge : contentTooLongFailure)
            )
          )
          progress.bytes += size
          progress.storedFiles.push({ index: output.index, contentType })
          return true
        }, Effect.scoped)

      const storeFiles = Effect.fnUntraced(function* (
        progress: StoreContentProgress,
        outputs: VideoEnd["outputs"],
        target: BlobStore
      ) {
        for (const output of outputs)
          if (!(yield* storeFile(progress, output, target))) return false
        return true
      })

      /** Makes the job due, so that the worker deletes what was copied before the failure. */
      const abandonContent = Effect.fnUntraced(function* (id: VideoJobId) {
        const job = yield* store.find(id)
        if (blobs === undefined || job?.end === undefined || job.end.storedFiles !== undefined)
          return
        const dueAt = yield* Clock.currentTimeMillis
        yield* store.replace(job.version, { ...job, version: job.version + 1, dueAt })
      })

      /** The job stays completed with its files at the provider; the worker deletes what was copied. */
      const leaveAtProvider = Effect.fnUntraced(function* (
        job: VideoJob,
        end: VideoEnd,
        { maxBytes, scope }: ContentTooLarge
      ) {
        const notStoredReason =
          scope === "file"
            ? `A file has more than ${maxBytes} bytes (maxVideoFileBytes)`
            : `The account has ${maxBytes} bytes of files (maxVideoFileBytesPerAccount)`
        yield* Effect.logWarning(
          `the files of ${job.id} stay at their provider: ${notStoredReason}`
        )
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
        abandonContent,
        storeContent: Effect.fnUntraced(function* (job) {
          const { end, id, assignment } = job
          if (blobs === undefined || assignment === undefined || end === undefined) return
          if (job.status !== "completed" || end.storedFiles !== undefined) return
          if (end.notStoredReason !== undefined) return
          if (end.contentUntil <= (yield* Clock.currentTimeMillis)) return yield* abandonContent(id)
          const progress: StoreContentProgress = { job, bytes: 0, storedFiles: [] }
          const isStored = yield* Effect.catchTag(
            storeFiles(progress, end.outputs, blobs),
            "ContentTooLarge",
            (error) => Effect.as(leaveAtProvider(progress.job, end, error), false)
          )
          if (!isStored) return
          // The expiry of the provider's own copy no longer matters.
          const contentUntil = end.at + videoContentRetentionMillis
          yield* store.replace(progress.job.version, {
            ...progress.job,
            version: progress.job.version + 1,
            dueAt: contentUntil,
            contentBytes: progress.bytes,
            end: { ...end, contentUntil, storedFiles: progress.storedFiles }
          })
        }),
        deleteContent: Effect.fnUntraced(function* (job) {
          const { end, id } = job
          if (end === undefined) return
          if (blobs === undefined) {
            // Only a process with the blob store can delete the files; one may start later.
            const now = yield* Clock.currentTimeMillis
            yield* store.reschedule(id, job.version, now + missingBlobStoreRetryMillis)
            return
          }
          // Every output, because a copy may have been interrupted before it was recorded.
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
  ).pipe(Layer.provide(VideoUpstream.layer))
}
