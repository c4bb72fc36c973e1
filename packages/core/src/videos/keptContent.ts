/** A kept file, or a stretch of it, as it is handed out. */
import * as Effect from "effect/Effect"
import type { ByteRange, VideoContent } from "../upstreams/VideoContent.ts"
import type { BlobFailed, BlobStore } from "./BlobStore.ts"
import { stretchIn } from "./stretchIn.ts"
import { ContentGone, NoSuchStretch } from "./VideoErrors.ts"

export const keptContent = Effect.fnUntraced(function* (
  blobs: BlobStore,
  name: string,
  { contentType, range }: { readonly contentType: string; readonly range: ByteRange | undefined }
): Effect.fn.Return<VideoContent<BlobFailed>, BlobFailed | ContentGone | NoSuchStretch> {
  const found = yield* blobs.find(name)
  if (found === undefined) return yield* new ContentGone()
  const { read, size } = found
  if (range === undefined) {
    return {
      contentType,
      bytes: read(0, size),
      length: size,
      stretch: undefined,
      takesRanges: true
    }
  }
  const stretch = stretchIn(size, range)
  if (stretch === undefined) return yield* new NoSuchStretch({ total: size })
  const length = stretch.last - stretch.first + 1
  return { contentType, bytes: read(stretch.first, length), length, stretch, takesRanges: true }
})
