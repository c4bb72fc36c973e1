/** Reports credentials that a provider refused to their owners. */
import * as Effect from "effect/Effect"
import type { UsableCredential } from "../../tenants/byok/UsableCredential.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"

/** In the background, so that no request waits for a slow store. A credential has one report at a time; others are dropped. */
export const makeRefusalReporter = Effect.map(Effect.scope, (scope) => {
  const inFlight = new Set<string>()
  return (
    attempted: RouteAttempt,
    usable: UsableCredential | undefined
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
