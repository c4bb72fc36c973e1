/** What the end of a request without a typed failure comes to: a bug is logged, and told to nobody. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Refusal } from "./Refusal.ts"
import { draining, unexpected } from "./refusalOf.ts"

export const refusalOfCause = (
  cause: Cause.Cause<unknown>,
  isDraining: boolean
): Effect.Effect<Refusal> =>
  isDraining && Cause.hasInterruptsOnly(cause)
    ? Effect.succeed(draining)
    : Effect.as(Effect.logError("request failed unexpectedly", cause), unexpected)
