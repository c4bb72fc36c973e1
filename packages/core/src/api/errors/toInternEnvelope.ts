/** The error envelope of interns: `code` is a text for most statuses, and `metadata` has a reason or is absent. */
import { type ErrorFacts, isRetryable } from "./ErrorFacts.ts"
import { toHeaders } from "./retryAfterHeader.ts"
import type { ErrorResponse, ErrorStatus } from "./ErrorResponse.ts"
import { makeErrorResponse } from "./makeErrorResponse.ts"

export const toInternEnvelope = (facts: ErrorFacts): ErrorResponse => {
  const { availability, details, message, path, status, type } = facts
  const { code = codes[status], reason = availability?.code ?? type } = facts
  return makeErrorResponse({
    status,
    code,
    message,
    ...(reason === undefined
      ? undefined
      : { metadata: { reason, retryable: isRetryable(facts), path, ...details } }),
    headers: toHeaders(facts)
  })
}

const codes: Readonly<Partial<Record<ErrorStatus, string>>> = {
  400: "invalid_body",
  404: "not_found",
  413: "payload_too_large",
  500: "internal_error",
  502: "upstream_unavailable"
}
