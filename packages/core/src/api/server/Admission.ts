/** Admits requests: authentication, then the caller's rate limit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type AuthenticationRequest,
  parseBearerToken,
  parseKeyHeader
} from "../../tenants/auth/AuthenticationRequest.ts"
import { Authenticator } from "../../tenants/auth/Authenticator.ts"
import type { AuthenticationError, RateLimited } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { RequestLimiter } from "../../tenants/auth/rateLimits/RequestLimiter.ts"
import { type IncomingRequest, speaksMessages } from "./IncomingRequest.ts"
import * as Step from "../../values/Step.ts"

/** A request over HTTP, or one that is made in process, which has no `hostRequest`. */
type AdmittedRequest = Pick<
  IncomingRequest,
  "caller" | "connection" | "headers" | "method" | "url"
> &
  Partial<Pick<IncomingRequest, "hostRequest" | "originalUrl">>

/** Authenticates a request and counts it against its caller's rate limit. */
export class Admission extends Context.Service<
  Admission,
  {
    /** Authenticates, then counts. */
    readonly admit: (
      request: AdmittedRequest
    ) => Effect.Effect<Caller, AuthenticationError | RateLimited>
    readonly authenticate: (request: AdmittedRequest) => Effect.Effect<Caller, AuthenticationError>
    /** Counts a request of `caller`, unless the host authenticated it before. */
    readonly count: (request: AdmittedRequest, caller: Caller) => Effect.Effect<void, RateLimited>
  }
>()("@signalbox/core/api/server/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const { authenticate } = yield* Authenticator
      const limiter = yield* RequestLimiter
      const service: Admission["Service"] = {
        admit: (request) =>
          Step.flatMap(service.authenticate(request), (caller) =>
            Step.map(service.count(request, caller), () => caller)
          ),
        authenticate: (request) =>
          request.caller === undefined
            ? authenticate(toAuthenticationRequest(request), request)
            : Effect.succeed(request.caller),
        count: (request, caller) =>
          request.caller === undefined ? limiter.take(caller) : Effect.void
      }
      return service
    })
  )
}

/** A request as authenticators see it. */
export const toAuthenticationRequest = (
  request: Pick<AdmittedRequest, "headers" | "hostRequest" | "method" | "url">
): AuthenticationRequest => {
  const { headers, method, url } = request
  const query = url.indexOf("?")
  return {
    method,
    path: query === -1 ? url : url.slice(0, query),
    headers,
    token:
      (speaksMessages(request) ? parseKeyHeader(headers["x-api-key"]) : undefined) ??
      parseBearerToken(headers["authorization"]),
    source: request.hostRequest ?? noHostRequest
  }
}

const noHostRequest = Object.freeze({})
