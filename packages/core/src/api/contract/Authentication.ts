/** Declares bearer authentication in the contract. */
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { commonErrors } from "./ErrorEnvelope.ts"

/** Only a declaration: `makeContractResponder` and `makeDecisionResponder` authenticate. */
export class Authentication extends HttpApiMiddleware.Service<Authentication>()(
  "@signalbox/core/api/contract/Authentication",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: commonErrors
  }
) {}
