/** Bounds the time of requests about interns and about vaults. Source: wire, the 408 of their operations. */
import * as Effect from "effect/Effect"
import { Settings } from "../../Settings.ts"
import { RequestTimedOut } from "../errors/HttpErrors.ts"

export const makeWithTimeout = Effect.map(
  Settings,
  ({ internRequestTimeoutMillis: timeoutMillis }) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | RequestTimedOut, R> =>
      Effect.timeoutOrElse(effect, {
        duration: timeoutMillis,
        orElse: () => Effect.fail(new RequestTimedOut({ timeoutMillis }))
      })
)
