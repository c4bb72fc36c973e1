/** How talking to an intern fails, in facts. */
import * as Data from "effect/Data"

/** Words of the wire for programs. Source: wire, InternChatErrorMetadata. */
export type InternChatReason =
  | "attachment_failed"
  | "bad_request"
  | "busy"
  | "client_closed_request"
  | "interaction_not_pending"
  | "interaction_unknown"
  | "intern_not_ready"
  | "intern_rejected"
  | "intern_unreachable"
  | "not_found"
  | "payload_too_large"
  | "rate_limited"
  | "run_ended"
  | "stream_severed"
  | "timeout"
  | "turn_failed"

/** The intern does not answer, or not to the end. */
export class InternChatFailure extends Data.TaggedError("InternChatFailure")<{
  readonly reason: InternChatReason
  /** Shown to callers, its first 500 characters: without secrets. */
  readonly problem: string
  /** Whether the same may succeed later: heeded of `turn_failed`, for the other reasons say so themselves. Default: no. */
  readonly isRetryable?: boolean
  /** When to come back, in milliseconds; of `busy` and `rate_limited`. Default: in a second. */
  readonly retryAfterMillis?: number
}> {}
