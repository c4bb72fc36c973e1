/** The error envelope of interns. `error.code` is a named code if there is one, otherwise the HTTP status. */
import * as Schema from "effect/Schema"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"

const Metadata = Schema.StructWithRest(
  Schema.Struct({
    /** Machine-readable reason. */
    reason: Schema.String,
    /** Whether the same request may succeed later. */
    retryable: Schema.Boolean
  }),
  // Further facts, such as the `path` of an invalid field.
  [Schema.Record(Schema.String, Schema.Unknown)]
)

const envelope = <const Codes extends ReadonlyArray<string | number>>(
  status: number,
  codes: Codes,
  description: string
) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literals(codes),
      message: Schema.String,
      /** Absent rather than null when there are no facts. */
      metadata: Schema.optionalKey(Metadata)
    })
  }).annotate({ identifier: `InternError${status}`, description, httpApiStatus: status })

export const InternBadRequest = envelope(400, ["invalid_body"], "Invalid body or query")
export const InternUnauthorized = envelope(401, [401], "Invalid or missing API key")
export const InternForbidden = envelope(
  403,
  ["no_acting_user", 403],
  "Authenticated but not permitted"
)
export const InternNotFound = envelope(404, ["not_found"], "Unknown intern, or no access to it")
export const InternTimeout = envelope(408, [408], "Request timed out")
export const InternConflict = envelope(
  409,
  ["idempotency_key_reused", 409],
  "Name or idempotency key already in use, or the intern's status does not allow the operation"
)
export const InternPayloadTooLarge = envelope(413, ["payload_too_large"], "Payload too large")
export const InternNotJson = envelope(415, [415], "The content type is not application/json")
export const InternTooManyRequests = envelope(429, [429], "Rate limit exceeded")
export const InternInternalError = envelope(500, ["internal_error"], "Unexpected server error")
export const InternUpstreamUnavailable = envelope(
  502,
  ["upstream_unavailable"],
  "Not completed; repeat the same request"
)

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
