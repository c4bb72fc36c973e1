/** Tells the owner of a credential that it was refused. */
import * as Effect from "effect/Effect"
import type { Usable } from "../byok/Usable.ts"
import type { Attempted } from "./Attempted.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"

/**
 * No request waits for it: the store may be slow. Of one credential one refusal at a time is told, and what
 * comes meanwhile is not, for it would say the same.
 */
export const tellingOwners = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const underway = new Set<string>()

  return (
    attempted: Attempted,
    { usable }: { readonly usable?: Usable }
  ): Effect.Effect<unknown> => {
    const { failure, latencyMillis, startedAt } = attempted
    if (usable === undefined || failure === undefined || !isCredentialRefused(attempted)) {
      return Effect.void
    }
    const { id } = usable.credential
    const { kind, status } = failure
    return Effect.suspend(() => {
      if (underway.has(id)) return Effect.void
      underway.add(id)
      return usable
        .refused({ at: startedAt + latencyMillis, kind, status })
        .pipe(
          Effect.ensuring(Effect.sync(() => underway.delete(id))),
          Effect.forkIn(scope, { startImmediately: true })
        )
    })
  }
})
