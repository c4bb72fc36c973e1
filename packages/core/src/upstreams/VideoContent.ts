/** The bytes of a video as an upstream sends them: never held as a whole. */
import type * as Stream from "effect/Stream"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** A stretch of bytes, as in `Range: bytes=<first>-<last>`. */
export type ByteRange =
  | { readonly first: number; readonly last?: number }
  /** The last so many bytes. */
  | { readonly suffix: number }

/** A file of a video, as it comes. */
export interface VideoContent<E = UpstreamFailure> {
  /** Always of video or audio, such as `video/mp4`: nothing a browser would run. */
  readonly contentType: string
  readonly bytes: Stream.Stream<Uint8Array, E>
  /** How many bytes there are in `bytes`; undefined when the upstream does not say. */
  readonly length: number | undefined
  /** Which stretch this is; undefined: the whole, whatever was asked for. */
  readonly contentRange: ContentRange | undefined
  /** Whether stretches can be asked for. */
  readonly acceptsRanges: boolean
}

/** Which part of a file it is. */
export interface ContentRange {
  readonly first: number
  /** Inclusive. */
  readonly last: number
  /** Bytes of the whole; undefined when the upstream does not say. */
  readonly total: number | undefined
}
