/**
 * The error envelope of every operation except the interns', and the check of callers that answers with it. `error.code` is the
 * HTTP status.
 */
import * as Schema from "effect/Schema"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { RoutingMetadata, routingMetadataFields } from "./routingMetadataFields.ts"

/** The literal code lets the encoder tell the envelopes apart. */
const envelope = <const Status extends number>(status: Status, description: string) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(status),
      message: Schema.String,
      metadata: Schema.optionalKey(RoutingMetadata)
    }),
    ...routingMetadataFields,
    user_id: Schema.optionalKey(Schema.NullOr(Schema.String))
  }).annotate({ identifier: `Error${status}`, description, httpApiStatus: status })

export const BadRequest = envelope(400, "Invalid request parameters or malformed input")
export const Unauthorized = envelope(401, "Authentication missing or invalid")
export const PaymentRequired = envelope(402, "Insufficient credits or quota")
export const Forbidden = envelope(403, "Authenticated but not permitted")
export const NotFound = envelope(404, "Resource does not exist")
export const RequestTimeout = envelope(408, "Request timed out")
export const Conflict = envelope(409, "Conflict with the current state of the resource")
export const Gone = envelope(410, "Resource no longer available")
export const PayloadTooLarge = envelope(413, "Payload too large")
export const UnsupportedMediaType = envelope(415, "The content type is not application/json")
export const RangeNotSatisfiable = envelope(416, "Range not satisfiable")
export const TooManyRequests = envelope(429, "Rate limit exceeded")
export const InternalServerError = envelope(500, "Unexpected server error")
export const BadGateway = envelope(502, "Provider or upstream failure")
export const ServiceUnavailable = envelope(503, "Service temporarily unavailable")
const EdgeTimeout = envelope(524, "Provider request timed out")
const ProviderOverloaded = envelope(529, "Provider temporarily overloaded")

/** Errors of authentication and of the server, which every operation may return. */
export const commonErrors = [
  Unauthorized,
  RequestTimeout,
  Conflict,
  UnsupportedMediaType,
  TooManyRequests,
  InternalServerError
] as const

/** Errors of every authenticated operation. */
export const authenticatedErrors = [
  Unauthorized,
  Forbidden,
  TooManyRequests,
  InternalServerError
] as const

/** Errors of operations that are routed to a provider. */
export const routedErrors = [
  ...authenticatedErrors,
  BadRequest,
  PaymentRequired,
  NotFound,
  PayloadTooLarge,
  BadGateway,
  ServiceUnavailable,
  EdgeTimeout,
  ProviderOverloaded
] as const

/** Errors of operations on a resource addressed by id. */
export const resourceErrors = [...authenticatedErrors, NotFound] as const

/** Only a declaration: `makeContractResponder` and `makeDecisionResponder` authenticate. */
export class Authentication extends HttpApiMiddleware.Service<Authentication>()(
  "@signalbox/core/api/contract/Authentication",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: commonErrors
  }
) {}
