/** The error envelope of every operation but the interns': `error.code` is the status. */
import * as Schema from "effect/Schema"
import { RoutingMetadata, routingMetadataFields } from "./routingMetadataFields.ts"

/** The envelope of one status. The literal code is what tells envelopes apart when encoding. */
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
export const RequestTimeout = envelope(408, "Took too long")
export const Conflict = envelope(409, "Not in a state for this")
export const Gone = envelope(410, "No longer available")
export const PayloadTooLarge = envelope(413, "Payload too large")
export const UnsupportedMediaType = envelope(415, "The content type is not application/json")
export const RangeNotSatisfiable = envelope(416, "No such range")
export const TooManyRequests = envelope(429, "Rate limit exceeded")
export const InternalServerError = envelope(500, "Unexpected server error")
export const BadGateway = envelope(502, "Provider or upstream failure")
export const ServiceUnavailable = envelope(503, "Service temporarily unavailable")
export const EdgeTimeout = envelope(524, "Provider request timed out")
export const ProviderOverloaded = envelope(529, "Provider temporarily overloaded")

/** What the middleware of every operation may answer with. */
export const commonErrors = [
  Unauthorized,
  RequestTimeout,
  Conflict,
  UnsupportedMediaType,
  TooManyRequests,
  InternalServerError
] as const

/** What any operation but a Decision may come to. */
export const authenticatedErrors = [
  Unauthorized,
  Forbidden,
  TooManyRequests,
  InternalServerError
] as const

/** The same of one that addresses a thing. */
export const resourceErrors = [...authenticatedErrors, NotFound] as const
