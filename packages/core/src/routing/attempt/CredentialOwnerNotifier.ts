/** Tells the owner of a credential that it was refused. */
import * as Effect from "effect/Effect"
import type { UsableCredential } from "../../byok/UsableCredential.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"

/**
 * No request waits for it: the store may be slow. Of one credential one refusal at a time is told, and what
 * comes meanwhile is not, for it would say the same.
 */
export const makeCredentialOwnerNotifier = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const inFlight = new Set<string>()

  return (
    attempted: RouteAttempt,
    { usable }: { readonly usable?: UsableCredential }
  ): Effect.Effect<unknown> => {
    const { failure, latencyMillis, startedAt } = attempted
    if (usable === undefined || failure === undefined || !isCredentialRefused(attempted)) {
      return Effect.void
    }
    const { id } = usable.credential
    const { kind, status } = failure
    return Effect.suspend(() => {
      if (inFlight.has(id)) return Effect.void
      inFlight.add(id)
      return usable
        .reportRefusal({ at: startedAt + latencyMillis, kind, status })
        .pipe(
          Effect.ensuring(Effect.sync(() => inFlight.delete(id))),
          Effect.forkIn(scope, { startImmediately: true })
        )
    })
  }
})
