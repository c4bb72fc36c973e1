/** The state of a video job, in terms that all upstreams share. */
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { optionalText } from "../../values/schemaFields.ts"
import type { VideoUsage } from "../../values/usage/ModelUsage.ts"
import type * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { FailureKind, UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One file of a completed job, as plain JSON that is stored with the job. */
export const VideoOutput = Schema.Struct({
  /** Its index among the outputs, from 0. */
  index: Schema.Finite,
  /**
   * Its URL, for an upstream that does not find outputs by job and index. The URL comes from outside: `getContent`
   * receives it as `url` and fetches only from the upstream's own origin by itself.
   */
  url: optionalText
})
export type VideoOutput = typeof VideoOutput.Type

/** The state of a job at its upstream. */
export type VideoReport =
  | {
      /** `pending`: accepted, not started. */
      readonly status: "pending" | "in_progress"
    }
  | {
      readonly status: "completed"
      readonly outputs: readonly [VideoOutput, ...ReadonlyArray<VideoOutput>]
      readonly usage?: VideoUsage
      /** The cost that the upstream reports. */
      readonly cost?: NanoUsd.NanoUsd
      /** The upstream's id of the generation. */
      readonly generationId?: string
      /** When it deletes the outputs, in milliseconds since the epoch. */
      readonly expiresAtMillis?: number
    }
  | {
      readonly status: "failed"
      /** The kind of failure; `server_error` when the upstream reports none. */
      readonly kind: FailureKind
      /** The upstream's message, truncated. */
      readonly message?: string
    }
  | {
      /** `expired`: the upstream gave up because the job took too long. */
      readonly status: "cancelled" | "expired"
      readonly message?: string
    }
  | {
      /** An unrecognized state: the job is polled again. */
      readonly status: "unknown"
      /** The upstream's name of the state, truncated; empty when it reports none. */
      readonly upstreamStatus: string
    }

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

/** 1 to 1,024 characters of printable ASCII, except `.` and `..`, which would escape from the path. */
export const UpstreamVideoId = Schema.String.check(
  Schema.isPattern(/^(?!\.{1,2}$)[\x21-\x7e]{1,1024}$/)
)
