/** Tells the owner of a credential that it was refused. */
import * as Effect from "effect/Effect"
import type { Usable } from "../byok/Usable.ts"
import type { Attempted } from "./Attempted.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"

export const tellOwner = (
  attempted: Attempted,
  { usable }: { readonly usable?: Usable }
): Effect.Effect<void> => {
  const { failure, latencyMillis, startedAt } = attempted
  if (usable === undefined || failure === undefined || !isCredentialRefused(attempted)) {
    return Effect.void
  }
  const { kind, status } = failure
  return usable.refused({ at: startedAt + latencyMillis, kind, status })
}
