/** Reads the files of finished videos, from the host's storage or their provider. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type {
  ByteRange,
  ContentRange,
  VideoContent
} from "../../../engine/upstreams/VideoReport.ts"
import type { UpstreamFailure } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import { ResourceNotFound } from "../../../values/errors/RequestErrors.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import type { VideoAssignment } from "../VideoJob.ts"
import {
  ContentGone,
  ContentUnavailable,
  NotCompleted,
  RangeNotSatisfiable
} from "../VideoStatus.ts"
import type { Videos } from "../Videos.ts"
import { makeFindVideo } from "../makeFindVideo.ts"
import { VideoUpstream } from "../poll/VideoUpstream.ts"
import { type BlobFailed, type BlobStore, OptionalBlobStore } from "../../../instance/BlobStore.ts"
import { toBlobName } from "./VideoContentArchive.ts"

export const makeContentReader = Effect.gen(function* () {
  const blobs = yield* OptionalBlobStore
  const find = yield* makeFindVideo
  const upstream = yield* VideoUpstream

  const getContent: Videos["Service"]["getContent"] = Effect.fnUntraced(function* (
    owner,
    id,
    { index, range }
  ) {
    const { account, end: ended, id: job, assignment, status } = yield* find(owner, id)
    if (status !== "completed") return yield* new NotCompleted({ status })
    const output = ended?.outputs.find((each) => each.index === index)
    if (ended === undefined || assignment === undefined || output === undefined) {
      return yield* new ResourceNotFound({
        resource: "file of this video",
        id: String(index)
      })
    }
    if (ended.contentUntil <= (yield* Clock.currentTimeMillis)) return yield* new ContentGone()
    const stored = ended.storedFiles?.find((each) => each.index === index)
    if (blobs !== undefined && stored !== undefined) {
      return yield* readStoredContent(blobs, toBlobName(job, index), { ...stored, range })
    }
    const capability = upstream.findCapability(assignment)
    if (capability === undefined) return yield* new ContentGone()
    return yield* Effect.mapError(
      upstream.call({ account, assignment }, (at) =>
        capability.getContent({ ...at, ...output, ...omitUndefined({ range }) })
      ),
      (failure) => toContentFailure(failure, assignment)
    )
  })

  return { getContent }
})

const toContentFailure = (
  { status }: UpstreamFailure,
  { providerName }: Pick<VideoAssignment, "providerName">
): ContentGone | ContentUnavailable | RangeNotSatisfiable => {
  if (status === 404 || status === 410) return new ContentGone()
  return status === 416
    ? new RangeNotSatisfiable({ total: undefined })
    : new ContentUnavailable({ provider: providerName })
}

/** Reads a stored file, or a byte range of it. */
const readStoredContent = Effect.fnUntraced(function* (
  blobs: BlobStore,
  name: string,
  { contentType, range }: { readonly contentType: string; readonly range: ByteRange | undefined }
): Effect.fn.Return<VideoContent<BlobFailed>, BlobFailed | ContentGone | RangeNotSatisfiable> {
  const found = yield* blobs.find(name)
  if (found === undefined) return yield* new ContentGone()
  const { read, size } = found
  if (range === undefined) {
    return {
      contentType,
      bytes: read(0, size),
      length: size,
      contentRange: undefined,
      acceptsRanges: true
    }
  }
  const contentRange = resolveRange(size, range)
  if (contentRange === undefined) return yield* new RangeNotSatisfiable({ total: size })
  const length = contentRange.last - contentRange.first + 1
  return {
    contentType,
    bytes: read(contentRange.first, length),
    length,
    contentRange,
    acceptsRanges: true
  }
})

/** Undefined when the range selects no byte: https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2 */
const resolveRange = (total: number, range: ByteRange): ContentRange | undefined => {
  const [first, last] =
    "suffix" in range
      ? [Math.max(0, total - range.suffix), total - 1]
      : [range.first, Math.min(range.last ?? total - 1, total - 1)]
  return first > last ? undefined : { first, last, total }
}
