/** What a request is answered that comes while the box is closing, in the envelope of its operation. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { InternHosting } from "../interns/InternHost.ts"
import { addressing } from "./addressing.ts"
import { listed } from "./errors/listed.ts"
import { draining } from "./errors/refusalOf.ts"
import { refuse } from "./errors/refuse.ts"

/** The address of the request is below the mount. */
export const turnedAway: Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest
> = Effect.zipWith(
  HttpServerRequest.HttpServerRequest,
  Effect.serviceOption(InternHosting),
  (request, host) =>
    refuse(listed(addressing(Option.getOrUndefined(host))(request)?.handler, draining))
)
