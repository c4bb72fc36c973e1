/** Declares bearer authentication for intern operations, whose errors have the intern envelope. */
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

/** Only a declaration: `makeContractResponder` authenticates. */
export class InternAuthentication extends HttpApiMiddleware.Service<InternAuthentication>()(
  "@signalbox/core/api/interns/InternAuthentication",
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
