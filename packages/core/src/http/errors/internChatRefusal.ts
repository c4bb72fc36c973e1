/** What a caller is told whose intern does not answer. Source: wire, InternChatError. */
import type { InternChatFailure, InternChatReason } from "../../interns/InternChatErrors.ts"
import { type Refusal, retryAfter, type Status } from "./Refusal.ts"

export const internChatRefusal = ({
  isRetryable = false,
  problem,
  reason,
  retryAfterMillis = 1_000
}: InternChatFailure): Refusal => ({
  status: statuses[reason],
  message: problem,
  metadata: {
    reason,
    retryable: reason === "turn_failed" ? isRetryable : transient.has(reason)
  },
  ...(waiting.has(reason) ? { headers: retryAfter(retryAfterMillis) } : undefined)
})

/** Source: wire, statuses of createInternChatCompletion; which reason has which is our choice. */
const statuses: Readonly<Record<InternChatReason, Status>> = {
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
const transient: ReadonlySet<InternChatReason> = new Set([
  "busy",
  "intern_not_ready",
  "intern_unreachable",
  "rate_limited",
  "stream_severed",
  "timeout"
])

const waiting: ReadonlySet<InternChatReason> = new Set(["busy", "rate_limited"])
