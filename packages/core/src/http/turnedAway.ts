/** What a request is answered that comes while the box is closing, in the envelope of its operation. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { InternHosting } from "../interns/InternHost.ts"
import { addressing } from "./addressing.ts"
import { listed } from "./errors/listed.ts"
import { draining } from "./errors/refusalOf.ts"
import { refuse } from "./errors/refuse.ts"
import { observeRequest } from "./observeRequest.ts"
import { respondProbe } from "./respondProbe.ts"

/** The address of the request is below the mount. */
export const turnedAway: Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
> = Effect.flatMap(Effect.serviceOption(InternHosting), (host) => {
  const addressed = addressing(Option.getOrUndefined(host))
  return observeRequest(
    Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
      const operation = addressed(request)?.handler
      return operation?.route === "probe"
        ? respondProbe(operation, false)
        : refuse(listed(operation, draining))
    }),
    (request) => addressed(request)?.handler.path
  )
})
