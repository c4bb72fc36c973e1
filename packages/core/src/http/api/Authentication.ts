/** Who is calling, by bearer token: required by every operation. */
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import type { Caller } from "../../auth/Caller.ts"
import { InternalServerError, TooManyRequests, Unauthorized } from "./ErrorEnvelope.ts"

/** The caller of the request in hand. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()(
  "@signalbox/core/http/api/CurrentCaller"
) {}

export class Authentication extends HttpApiMiddleware.Service<
  Authentication,
  { provides: CurrentCaller }
>()("@signalbox/core/http/api/Authentication", {
  security: { bearer: HttpApiSecurity.bearer },
  error: [Unauthorized, TooManyRequests, InternalServerError]
}) {}
