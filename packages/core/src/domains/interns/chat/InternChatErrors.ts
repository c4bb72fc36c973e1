/** Errors of chats with interns. */
import * as Data from "effect/Data"

/** The reasons in the metadata of error responses. */
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

/** The intern does not answer, or its answer breaks off. */
export class InternChatFailure extends Data.TaggedError("InternChatFailure")<{
  readonly reason: InternChatReason
  /** Shown to callers up to 500 characters; must contain no secrets. */
  readonly problem: string
  /** Only read for `turn_failed`; the other reasons imply it. Default: false. */
  readonly isRetryable?: boolean
  /** For `busy` and `rate_limited`; default: 1000. */
  readonly retryAfterMillis?: number
}> {}
