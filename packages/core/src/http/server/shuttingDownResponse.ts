/** Responds to requests that arrive while the instance closes, in the error envelope of their operation. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { InternHostService } from "../../interns/host/InternHost.ts"
import { makeRequestMatcher } from "./makeRequestMatcher.ts"
import { findErrorRules } from "./findErrorRules.ts"
import { Draining } from "../errors/HttpErrors.ts"
import { toErrorResponse } from "../errors/toErrorResponse.ts"
import { renderError } from "../errors/renderError.ts"
import { observeRequest } from "./observeRequest.ts"
import { respondProbe } from "./respondProbe.ts"

/** The URL of the request is relative to the mount. */
export const shuttingDownResponse: Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
> = Effect.flatMap(Effect.serviceOption(InternHostService), (host) => {
  const matchRequest = makeRequestMatcher(Option.getOrUndefined(host))
  return observeRequest(
    Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
      const operation = matchRequest(request)?.handler
      return operation?.route === "probe"
        ? respondProbe(operation, false)
        : renderError(toErrorResponse(new Draining(), findErrorRules(operation)))
    }),
    (request) => matchRequest(request)?.handler.path
  )
})
