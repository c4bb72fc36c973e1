/** What the end of a request without a typed failure comes to: a bug is logged, and told to nobody. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { StoreUnavailable } from "../../values/StoreUnavailable.ts"
import type { Refusal } from "./Refusal.ts"
import { draining, refusalOf, unexpected } from "./refusalOf.ts"

export const refusalOfCause = (
  cause: Cause.Cause<unknown>,
  isDraining: boolean
): Effect.Effect<Refusal> => {
  if (isDraining && Cause.hasInterruptsOnly(cause)) return Effect.succeed(draining)
  const unavailable = unavailableIn(cause)
  return unavailable === undefined
    ? Effect.as(Effect.logError("request failed unexpectedly", cause), unexpected)
    : Effect.as(
        Effect.logWarning("request failed for want of its storage", cause),
        refusalOf(unavailable)
      )
}

/** What a store died with, if that is why the request ended. */
export const unavailableIn = ({ reasons }: Cause.Cause<unknown>): StoreUnavailable | undefined => {
  for (const reason of reasons) {
    if (Cause.isDieReason(reason) && reason.defect instanceof StoreUnavailable) return reason.defect
  }
  return undefined
}
