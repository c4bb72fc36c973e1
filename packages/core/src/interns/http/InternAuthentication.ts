/** Who is calling, by bearer token, where failing has the envelope of interns. */
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import {
  InternConflict,
  InternForbidden,
  InternInternalError,
  InternNotJson,
  InternTimeout,
  InternTooManyRequests,
  InternUnauthorized
} from "./InternErrorEnvelope.ts"

/** Says it in the contract; `makeContractResponder` does it. */
export class InternAuthentication extends HttpApiMiddleware.Service<InternAuthentication>()(
  "@signalbox/core/interns/http/InternAuthentication",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [
      InternUnauthorized,
      InternForbidden,
      InternTimeout,
      InternConflict,
      InternNotJson,
      InternTooManyRequests,
      InternInternalError
    ]
  }
) {}
