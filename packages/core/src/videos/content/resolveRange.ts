/** The stretch of a file that a range means. Source: RFC 9110, 14.1.2. */
import type { ByteRange, ContentRange } from "../../upstreams/VideoContent.ts"

/** Undefined when the file has no byte of it. */
export const resolveRange = (total: number, range: ByteRange): ContentRange | undefined => {
  const [first, last] =
    "suffix" in range
      ? [Math.max(0, total - range.suffix), total - 1]
      : [range.first, Math.min(range.last ?? total - 1, total - 1)]
  return first > last ? undefined : { first, last, total }
}
