/** What an upstream says of a video job, in words that all upstreams share. */
import * as Schema from "effect/Schema"
import { optionalText } from "../values/schemaFields.ts"
import type * as NanoUsd from "../values/usage/NanoUsd.ts"
import type { VideoUsage } from "../values/usage/VideoUsage.ts"
import type { FailureKind } from "./failures/UpstreamFailure.ts"

/** One file of a completed job; plain JSON, to be kept until it is asked for. */
export const VideoOutput = Schema.Struct({
  /** Its place among the outputs, from 0. */
  index: Schema.Finite,
  /**
   * Its URL, for an upstream that does not find outputs by job and index. The URL comes from outside: `getContent`
   * receives it as `url` and fetches only from the upstream's own origin by itself.
   */
  url: optionalText
})
export type VideoOutput = typeof VideoOutput.Type

/** How a job stands at its upstream. */
export type VideoReport =
  | {
      /** `pending`: accepted, not begun. */
      readonly status: "pending" | "in_progress"
    }
  | {
      readonly status: "completed"
      readonly outputs: readonly [VideoOutput, ...ReadonlyArray<VideoOutput>]
      readonly usage?: VideoUsage
      /** What the upstream itself says the job cost. */
      readonly cost?: NanoUsd.NanoUsd
      /** The upstream's own name for the work done. */
      readonly generationId?: string
      /** When it deletes the outputs, in milliseconds since 1970. */
      readonly expiresAtMillis?: number
    }
  | {
      readonly status: "failed"
      /** What kind of failure it was: `server_error` where the upstream does not say. */
      readonly kind: FailureKind
      /** The upstream's own words, clipped. */
      readonly message?: string
    }
  | {
      /** `expired`: the upstream gave the job up because it took too long. */
      readonly status: "cancelled" | "expired"
      readonly message?: string
    }
  | {
      /** A state nobody has heard of: the job goes on, and is asked for again. */
      readonly status: "unknown"
      /** The upstream's word for it, clipped; empty when it says none. */
      readonly upstreamStatus: string
    }
