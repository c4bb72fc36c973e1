/** The response to a request that ended without a typed error. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { findStoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"
import { Draining, InternalError } from "./HttpErrors.ts"
import { type ErrorRules, toErrorResponse } from "./toErrorResponse.ts"

/** Logs what callers do not learn: the bug, or why the storage is unavailable. */
export const toErrorResponseFromCause = (
  cause: Cause.Cause<unknown>,
  isDraining: boolean,
  rules?: ErrorRules
): Effect.Effect<ErrorResponse> => {
  if (isDraining && Cause.hasInterruptsOnly(cause)) {
    return Effect.succeed(toErrorResponse(new Draining(), rules))
  }
  const unavailable = findStoreUnavailable(cause)
  const log =
    unavailable === undefined
      ? Effect.logError("request failed unexpectedly", cause)
      : Effect.logWarning("request failed for want of its storage", cause)
  return Effect.as(log, toErrorResponse(unavailable ?? new InternalError(), rules))
}
