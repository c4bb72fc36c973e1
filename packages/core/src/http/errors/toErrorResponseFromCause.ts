/** What the end of a request without a typed failure comes to: a bug is logged, and told to nobody. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { StoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"
import { drainingResponse, toErrorResponse, internalErrorResponse } from "./toErrorResponse.ts"

export const toErrorResponseFromCause = (
  cause: Cause.Cause<unknown>,
  isDraining: boolean
): Effect.Effect<ErrorResponse> => {
  if (isDraining && Cause.hasInterruptsOnly(cause)) return Effect.succeed(drainingResponse)
  const unavailable = findStoreUnavailable(cause)
  return unavailable === undefined
    ? Effect.as(Effect.logError("request failed unexpectedly", cause), internalErrorResponse)
    : Effect.as(
        Effect.logWarning("request failed for want of its storage", cause),
        toErrorResponse(unavailable)
      )
}

/** What a store died with, if that is why the request ended. */
export const findStoreUnavailable = ({
  reasons
}: Cause.Cause<unknown>): StoreUnavailable | undefined => {
  for (const reason of reasons) {
    if (Cause.isDieReason(reason) && reason.defect instanceof StoreUnavailable) return reason.defect
  }
  return undefined
}
