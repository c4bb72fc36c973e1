/** What a caller is told whose intern does not answer. Source: wire, InternChatError. */
import type { InternChatFailure, InternChatReason } from "../../interns/chat/InternChatErrors.ts"
import { type ErrorResponse, toRetryAfterHeader, type ErrorStatus } from "./ErrorResponse.ts"

export const toInternChatErrorResponse = ({
  isRetryable = false,
  problem,
  reason,
  retryAfterMillis = 1_000
}: InternChatFailure): ErrorResponse => ({
  status: statusByReason[reason],
  message: problem,
  metadata: {
    reason,
    retryable: reason === "turn_failed" ? isRetryable : transientReasons.has(reason)
  },
  ...(retryAfterReasons.has(reason) ? { headers: toRetryAfterHeader(retryAfterMillis) } : undefined)
})

/** Source: wire, statuses of createInternChatCompletion; which reason has which is our choice. */
const statusByReason: Readonly<Record<InternChatReason, ErrorStatus>> = {
  attachment_failed: 502,
  bad_request: 400,
  busy: 409,
  client_closed_request: 408,
  interaction_not_pending: 409,
  interaction_unknown: 404,
  intern_not_ready: 409,
  intern_rejected: 502,
  intern_unreachable: 502,
  not_found: 404,
  payload_too_large: 413,
  rate_limited: 429,
  run_ended: 410,
  stream_severed: 502,
  timeout: 504,
  turn_failed: 502
}

/** Source: wire, InternChatErrorMetadata. */
const transientReasons: ReadonlySet<InternChatReason> = new Set([
  "busy",
  "intern_not_ready",
  "intern_unreachable",
  "rate_limited",
  "stream_severed",
  "timeout"
])

const retryAfterReasons: ReadonlySet<InternChatReason> = new Set(["busy", "rate_limited"])
