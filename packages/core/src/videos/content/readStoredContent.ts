/** A kept file, or a stretch of it, as it is handed out. */
import * as Effect from "effect/Effect"
import type { ByteRange, VideoContent } from "../../upstreams/VideoContent.ts"
import type { BlobFailed, BlobStore } from "./BlobStore.ts"
import { resolveRange } from "./resolveRange.ts"
import { ContentGone, RangeNotSatisfiable } from "../VideoErrors.ts"

export const readStoredContent = Effect.fnUntraced(function* (
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
