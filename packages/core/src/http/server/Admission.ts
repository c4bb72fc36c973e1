/** Admits requests: authentication, then the caller's rate limit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import type { AuthenticationRequest } from "../../auth/AuthenticationRequest.ts"
import { Authenticator } from "../../auth/Authenticator.ts"
import type { WorkspaceNotFound, RateLimited, Unauthenticated } from "../../auth/AuthErrors.ts"
import { parseBearerToken } from "../../auth/AuthenticationRequest.ts"
import type { Caller } from "../../auth/Caller.ts"
import { RequestLimiter } from "../../auth/rateLimits/RequestLimiter.ts"

/** Authenticates a request and counts it against its caller's rate limit. */
export class Admission extends Context.Service<
  Admission,
  {
    /** The URL of `request` is relative to the mount. */
    readonly admit: (
      request: HttpServerRequest.HttpServerRequest
    ) => Effect.Effect<Caller, WorkspaceNotFound | RateLimited | Unauthenticated>
  }
>()("@signalbox/core/http/server/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const { authenticate } = yield* Authenticator
      const limiter = yield* RequestLimiter
      return {
        admit: Effect.fnUntraced(function* (request) {
          const caller = yield* authenticate(toAuthenticationRequest(request))
          yield* limiter.take(caller)
          return caller
        })
      }
    })
  )
}

const toAuthenticationRequest = ({
  headers,
  method,
  url
}: HttpServerRequest.HttpServerRequest): AuthenticationRequest => {
  const query = url.indexOf("?")
  return {
    method,
    path: query === -1 ? url : url.slice(0, query),
    headers,
    token: parseBearerToken(headers["authorization"])
  }
}
