/** Who is calling, by bearer token: required by every operation. */
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { commonErrors } from "./ErrorEnvelope.ts"

/** Says it in the contract; `makeContractResponder` and `makeDecisionResponder` do it. */
export class Authentication extends HttpApiMiddleware.Service<Authentication>()(
  "@signalbox/core/http/contract/Authentication",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: commonErrors
  }
) {}
