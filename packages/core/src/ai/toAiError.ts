/** Errors of Signalbox as errors of Effect's AI services. */
import * as AiError from "effect/ai/AiError"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type { ReportedError } from "../api/errors/errorTable.ts"
import { toErrorResponse } from "../api/errors/toErrorResponse.ts"
import { parseRetryAfter } from "../values/parseRetryAfter.ts"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import { toMutableJson } from "./toRouting.ts"

/** Where an error happened. */
export interface ErrorOrigin {
  readonly module: string
  readonly method: string
}

/**
 * Its metadata has, under `signalbox`, the facts that the HTTP API reports: `error` (the tag), `status`, `message` and
 * others such as `previous_errors`; and the `generationId` and the `routing` of the call as far as it came.
 */
export const toAiError = (
  error: AiError.AiError | ReportedError,
  origin: ErrorOrigin,
  observer?: CallRecorder
): AiError.AiError =>
  error._tag === "AiError" ? error : AiError.make({ ...origin, reason: toReason(error, observer) })

const toReason = (
  error: ReportedError,
  observer: CallRecorder | undefined
): AiError.AiErrorReason => {
  const { headers = {}, message, metadata: facts = {}, status } = toErrorResponse(error)
  const { generationId, metadata: routing } = observer?.toReport() ?? {}
  const metadata = {
    signalbox: toMutableJson({
      ...facts,
      error: error._tag,
      status,
      message,
      generationId,
      routing
    })
  }
  if (error._tag === "LimitExceeded") {
    const { endsAt } = error.limit
    return new AiError.QuotaExhaustedError({
      metadata,
      ...(endsAt === Infinity ? undefined : { resetAt: DateTime.makeUnsafe(endsAt) })
    })
  }
  if (facts["error_type"] === "content_policy_violation") {
    return new AiError.ContentPolicyError({ description: message, metadata })
  }
  switch (status) {
    case 401:
      return new AiError.AuthenticationError({
        kind:
          error._tag === "Unauthenticated" && error.reason === "missing_key"
            ? "MissingKey"
            : "InvalidKey",
        description: message,
        metadata
      })
    case 402:
      return new AiError.QuotaExhaustedError({ metadata })
    case 403:
      return new AiError.AuthenticationError({
        kind: "InsufficientPermissions",
        description: message,
        metadata
      })
    case 429: {
      const millis = parseRetryAfter(headers, 0)
      return new AiError.RateLimitError({
        metadata,
        ...(millis === undefined ? undefined : { retryAfter: Duration.millis(millis) })
      })
    }
    case 408:
    case 500:
    case 502:
    case 503:
    case 504:
    case 524:
    case 529:
      return new AiError.InternalProviderError({ description: message, metadata })
    case 400:
    case 404:
    case 409:
    case 410:
    case 413:
    case 415:
    case 416:
      return new AiError.InvalidRequestError({
        description: message,
        metadata,
        ...(error._tag === "InvalidRequest" && error.path.length > 0
          ? { parameter: error.path.join(".") }
          : undefined)
      })
  }
}
