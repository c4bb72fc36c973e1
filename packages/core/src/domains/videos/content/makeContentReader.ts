/** Reads the files of finished videos, from the host's storage or their provider. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { UpstreamFailure } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { ResourceNotFound } from "../../../values/errors/RequestErrors.ts"
import { OptionalBlobStore } from "./BlobStore.ts"
import { toBlobName } from "./VideoContentArchive.ts"
import { readStoredContent } from "./readStoredContent.ts"
import { VideoUpstream } from "../poll/VideoUpstream.ts"
import {
  ContentGone,
  ContentUnavailable,
  NotCompleted,
  RangeNotSatisfiable
} from "../VideoStatus.ts"
import type { VideoAssignment } from "../VideoJob.ts"
import { makeFindVideo } from "../makeFindVideo.ts"
import type { Videos } from "../Videos.ts"

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
