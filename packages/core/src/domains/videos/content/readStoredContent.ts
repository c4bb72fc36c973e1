/** Reads a stored file, or a byte range of it. */
import * as Effect from "effect/Effect"
import type {
  ByteRange,
  ContentRange,
  VideoContent
} from "../../../engine/upstreams/VideoReport.ts"
import type { BlobFailed, BlobStore } from "./BlobStore.ts"
import { ContentGone, RangeNotSatisfiable } from "../VideoStatus.ts"

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

/** Undefined when the range selects no byte: https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2 */
const resolveRange = (total: number, range: ByteRange): ContentRange | undefined => {
  const [first, last] =
    "suffix" in range
      ? [Math.max(0, total - range.suffix), total - 1]
      : [range.first, Math.min(range.last ?? total - 1, total - 1)]
  return first > last ? undefined : { first, last, total }
}
