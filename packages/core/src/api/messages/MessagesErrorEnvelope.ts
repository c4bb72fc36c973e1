/** The error envelope of Anthropic's API: https://platform.claude.com/docs/en/api/errors. */
import * as Schema from "effect/Schema"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { RoutingMetadata, routingMetadataFields } from "../contract/routingMetadataFields.ts"

const envelope = (status: number, types: ReadonlyArray<string>, description: string) =>
  Schema.Struct({
    type: Schema.Literal("error"),
    error: Schema.Struct({
      type: Schema.Literals(types),
      message: Schema.String,
      /** What exactly happened, such as `context_length_exceeded`. */
      error_type: Schema.optionalKey(Schema.String),
      /** Has a machine-readable reason, such as `unknown_key`. */
      details: Schema.optionalKey(Schema.Struct({ error_code: Schema.String }))
    }),
    /** The id of the record; null when the request was not routed. */
    request_id: Schema.NullOr(Schema.String),
    metadata: Schema.optionalKey(RoutingMetadata),
    ...routingMetadataFields
  }).annotate({ identifier: `MessagesError${status}`, description, httpApiStatus: status })

export const MessagesBadRequest = envelope(400, ["invalid_request_error"], "Invalid request")
const MessagesUnauthorized = envelope(
  401,
  ["authentication_error"],
  "Authentication missing or invalid"
)
const MessagesForbidden = envelope(403, ["permission_error"], "Authenticated but not permitted")
export const MessagesNotFound = envelope(
  404,
  ["not_found_error"],
  "No such model, or no endpoint that may serve it"
)
const MessagesTimeout = envelope(408, ["timeout_error"], "Request timed out")
const MessagesConflict = envelope(
  409,
  ["conflict_error"],
  "Conflict with the current state of the resource"
)
export const MessagesTooLarge = envelope(413, ["request_too_large"], "Payload too large")
const MessagesNotJson = envelope(
  415,
  ["invalid_request_error"],
  "The body has an unsupported content type or encoding"
)
const MessagesTooManyRequests = envelope(429, ["rate_limit_error"], "Rate limit exceeded")
const MessagesInternalError = envelope(500, ["api_error"], "Unexpected server error")

/** Errors of every operation of this API. */
export const messagesErrors = [
  MessagesUnauthorized,
  MessagesForbidden,
  MessagesTimeout,
  MessagesConflict,
  MessagesNotJson,
  MessagesTooManyRequests,
  MessagesInternalError
] as const

/** Errors of operations that run models. */
export const routedMessagesErrors = [
  MessagesBadRequest,
  envelope(402, ["billing_error"], "Insufficient credits or quota"),
  MessagesNotFound,
  MessagesTooLarge,
  envelope(502, ["api_error"], "Provider or upstream failure"),
  envelope(503, ["overloaded_error"], "Service temporarily unavailable"),
  envelope(504, ["timeout_error"], "Provider request timed out"),
  envelope(529, ["overloaded_error"], "Provider temporarily overloaded")
] as const

/** Only a declaration: `makeContractResponder` authenticates. */
export class MessagesAuthentication extends HttpApiMiddleware.Service<MessagesAuthentication>()(
  "@signalbox/core/api/messages/MessagesAuthentication",
  {
    security: {
      key: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }),
      bearer: HttpApiSecurity.bearer
    },
    error: messagesErrors
  }
) {}
