/** The bytes of a video, streamed from the upstream and never held in memory as a whole. */
import type * as Stream from "effect/Stream"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** A byte range, as in `Range: bytes=<first>-<last>`. */
export type ByteRange =
  | { readonly first: number; readonly last?: number }
  /** The last `suffix` bytes. */
  | { readonly suffix: number }

/** A streamed file of a video. */
export interface VideoContent<E = UpstreamFailure> {
  /** A video or audio type, such as `video/mp4`; never a type that a browser would execute. */
  readonly contentType: string
  readonly bytes: Stream.Stream<Uint8Array, E>
  /** The number of bytes in `bytes`; undefined: unknown. */
  readonly length: number | undefined
  /** The byte range of `bytes`; undefined: the whole file, even if a range was requested. */
  readonly contentRange: ContentRange | undefined
  /** Whether byte ranges can be requested. */
  readonly acceptsRanges: boolean
}

/** The position of a byte range in its file. */
export interface ContentRange {
  readonly first: number
  /** Inclusive. */
  readonly last: number
  /** The size of the file in bytes; undefined: unknown. */
  readonly total: number | undefined
}
