/** Admits requests: authentication, then the caller's rate limit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AuthenticationRequest } from "../../auth/AuthenticationRequest.ts"
import { Authenticator } from "../../auth/Authenticator.ts"
import type { WorkspaceNotFound, RateLimited, Unauthenticated } from "../../auth/AuthErrors.ts"
import { parseBearerToken, parseKeyHeader } from "../../auth/AuthenticationRequest.ts"
import type { Caller } from "../../auth/Caller.ts"
import { RequestLimiter } from "../../auth/rateLimits/RequestLimiter.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"
import { speaksMessages } from "./speaksMessages.ts"

/** Authenticates a request and counts it against its caller's rate limit. */
export class Admission extends Context.Service<
  Admission,
  {
    readonly admit: (
      request: Pick<IncomingRequest, "caller" | "headers" | "method" | "url">
    ) => Effect.Effect<Caller, WorkspaceNotFound | RateLimited | Unauthenticated>
  }
>()("@signalbox/core/http/server/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const { authenticate } = yield* Authenticator
      const limiter = yield* RequestLimiter
      return {
        admit: (request) =>
          request.caller === undefined
            ? Effect.flatMapEager(authenticate(toAuthenticationRequest(request)), (caller) =>
                Effect.mapEager(limiter.take(caller), () => caller)
              )
            : Effect.succeed(request.caller)
      }
    })
  )
}

/** A request as authenticators see it. */
export const toAuthenticationRequest = (
  request: Pick<IncomingRequest, "headers" | "method" | "url">
): AuthenticationRequest => {
  const { headers, method, url } = request
  const query = url.indexOf("?")
  return {
    method,
    path: query === -1 ? url : url.slice(0, query),
    headers,
    token:
      (speaksMessages(request) ? parseKeyHeader(headers["x-api-key"]) : undefined) ??
      parseBearerToken(headers["authorization"])
  }
}
