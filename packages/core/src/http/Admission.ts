/** Lets callers in: authentication, then the caller's rate limit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Authenticator } from "../auth/Authenticator.ts"
import { type RateLimited, Unauthenticated } from "../auth/AuthErrors.ts"
import type { Caller } from "../auth/Caller.ts"
import { RequestLimiter } from "../auth/RequestLimiter.ts"

export class Admission extends Context.Service<
  Admission,
  {
    readonly admit: (
      token: Redacted.Redacted | undefined
    ) => Effect.Effect<Caller, Unauthenticated | RateLimited>
  }
>()("@signalbox/core/http/Admission") {
  static readonly layer: Layer.Layer<Admission, never, Authenticator | RequestLimiter> =
    Layer.effect(
      Admission,
      Effect.gen(function* () {
        const { authenticate } = yield* Authenticator
        const limiter = yield* RequestLimiter
        return {
          admit: Effect.fnUntraced(function* (token) {
            if (token === undefined) return yield* new Unauthenticated()
            const caller = yield* authenticate(token)
            yield* limiter.take(caller)
            return caller
          })
        }
      })
    )
}
