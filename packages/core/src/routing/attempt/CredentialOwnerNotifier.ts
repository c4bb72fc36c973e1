/** Tells the owner of a credential that a provider refused it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { UsableCredential } from "../../byok/UsableCredential.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"

/** Reports refused credentials in the background, so that no request waits for a slow store. */
export class CredentialOwnerNotifier extends Context.Service<
  CredentialOwnerNotifier,
  {
    /** Reports one refusal of a credential at a time and drops those that come meanwhile. */
    readonly notify: (
      attempted: RouteAttempt,
      credential: UsableCredential | undefined
    ) => Effect.Effect<unknown>
  }
>()("@signalbox/core/routing/attempt/CredentialOwnerNotifier") {
  static readonly layer: Layer.Layer<CredentialOwnerNotifier> = Layer.effect(
    CredentialOwnerNotifier,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const inFlight = new Set<string>()

      return {
        notify: (attempted, usable) => {
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
      }
    })
  )
}
