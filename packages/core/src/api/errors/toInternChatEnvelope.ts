/** The error envelope of chats with interns: few statuses, and reasons that clients know. */
import type { InternChatReason } from "../../domains/interns/chat/InternChatErrors.ts"
import { type ErrorFacts, isRetryable, turnFailed } from "./ErrorFacts.ts"
import { toHeaders, toRetryAfterHeader } from "./retryAfterHeader.ts"
import type { ErrorResponse, ErrorStatus } from "./ErrorResponse.ts"
import { makeErrorResponse } from "./makeErrorResponse.ts"

export const toInternChatEnvelope = (facts: ErrorFacts): ErrorResponse => {
  const { reason, status } = facts.reason === undefined ? defaults[facts.status] : facts
  const hasRetryAfter = reason === "busy" || reason === "rate_limited"
  return makeErrorResponse({
    status,
    message: facts.message,
    ...(reason === undefined ? undefined : { metadata: { reason, retryable: isRetryable(facts) } }),
    headers: { ...(hasRetryAfter ? toRetryAfterHeader(1_000) : undefined), ...toHeaders(facts) }
  })
}

interface ChatError {
  readonly status: ErrorStatus
  /** Absent: clients know no reason for it. */
  readonly reason?: InternChatReason
}

/** The errors, by status, for failures without a reason of their own. */
const defaults: Readonly<Record<ErrorStatus, ChatError>> = {
  400: { status: 400, reason: "bad_request" },
  401: { status: 401 },
  402: { status: 403, reason: "turn_failed" },
  403: { status: 403 },
  404: { status: 404, reason: "not_found" },
  408: { status: 408, reason: "timeout" },
  409: turnFailed,
  410: turnFailed,
  413: { status: 413, reason: "payload_too_large" },
  415: { status: 415, reason: "bad_request" },
  416: turnFailed,
  429: { status: 429, reason: "rate_limited" },
  500: turnFailed,
  502: turnFailed,
  503: { status: 503, reason: "busy" },
  504: { status: 504, reason: "timeout" },
  524: { status: 504, reason: "timeout" },
  529: { status: 503, reason: "busy" }
}
