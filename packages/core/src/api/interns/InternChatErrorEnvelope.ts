/** The error envelope of chats with interns. `error.code` is the HTTP status. */
import * as Schema from "effect/Schema"

export const InternChatErrorMetadata = Schema.Struct({
  /** Machine-readable reason. */
  reason: Schema.String,
  /** Whether the same request may succeed later. */
  retryable: Schema.Boolean
})

const envelope = <const Status extends number>(status: Status, description: string) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(status),
      message: Schema.String,
      metadata: Schema.optionalKey(InternChatErrorMetadata)
    })
  }).annotate({ identifier: `InternChatError${status}`, description, httpApiStatus: status })

export const InternChatUnauthorized = envelope(401, "Invalid or missing API key")
export const InternChatForbidden = envelope(403, "Not permitted, or no credits left")
export const InternChatTooManyRequests = envelope(429, "Too many requests")

export const internChatErrors = [
  envelope(400, "Invalid request"),
  envelope(404, "Unknown intern or question, or no access to it"),
  envelope(408, "Request timed out"),
  envelope(409, "The intern is not running, or is busy"),
  envelope(410, "The intern is being deleted"),
  envelope(413, "Payload too large"),
  envelope(415, "The content type is not application/json"),
  envelope(502, "The intern failed or is unreachable"),
  envelope(503, "No capacity at present"),
  envelope(504, "The intern timed out")
] as const
