/** Limits the duration of intern and vault requests, which fail with 408. */
import * as Effect from "effect/Effect"
import { Settings } from "../../instance/Settings.ts"
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
