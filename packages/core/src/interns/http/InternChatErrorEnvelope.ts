/** The error envelope of chats with interns: `error.code` is the status. Source: wire, InternChatErrorEnvelope. */
import * as Schema from "effect/Schema"

export const InternChatErrorMetadata = Schema.Struct({
  /** A word for programs. */
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
export const InternChatForbidden = envelope(403, "Not permitted, or no money left for it")
export const InternChatTooManyRequests = envelope(429, "Too many requests")

export const internChatErrors = [
  envelope(400, "No request that an intern could answer"),
  envelope(404, "No such intern, none for this caller, or no such question"),
  envelope(408, "The request did not arrive in time"),
  envelope(409, "The intern does not run, or is busy"),
  envelope(410, "The intern is being deleted"),
  envelope(413, "Payload too large"),
  envelope(415, "The content type is not application/json"),
  envelope(502, "The intern failed, or could not be reached"),
  envelope(503, "Nobody has capacity for it now"),
  envelope(504, "The intern took too long")
] as const
