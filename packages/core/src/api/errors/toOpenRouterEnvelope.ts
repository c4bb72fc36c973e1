/** OpenRouter's error envelope, which all operations use except the interns'. */
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import { type ErrorFacts, isRetryable } from "./ErrorFacts.ts"
import { toHeaders } from "./retryAfterHeader.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"
import { makeErrorResponse } from "./makeErrorResponse.ts"

export const toOpenRouterEnvelope = (facts: ErrorFacts): ErrorResponse => {
  const { availability, details, message, path, reason, retryable, status, type } = facts
  return makeErrorResponse({
    status,
    message,
    metadata: {
      error_type: type,
      availability: availability && {
        code: availability.code,
        retryable: isRetryable(facts),
        ...Record.filter(
          { requested_models: availability.models, excluded_by: availability.excludedBy },
          Predicate.isNotUndefined
        )
      },
      reason,
      retryable,
      path,
      ...details
    },
    headers: toHeaders(facts)
  })
}
