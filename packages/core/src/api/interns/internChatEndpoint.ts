/** The contract of chats with interns. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { InternChatChunk } from "../../domains/interns/chat/InternChatChunk.ts"
import { InternChatRequest } from "../../domains/interns/chat/InternChatRequest.ts"
import {
  ErrorFormat,
  HasClosedStatuses,
  RequiredCaller,
  TimeLimited
} from "../contract/operationAnnotations.ts"

/** The error envelope of chats with interns. `error.code` is the HTTP status. */
const InternChatErrorMetadata = Schema.Struct({
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

const internChatErrors = [
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

/** Only a declaration: `makeContractResponder` authenticates. */
class InternChatAuthentication extends HttpApiMiddleware.Service<InternChatAuthentication>()(
  "@signalbox/core/api/interns/InternChatAuthentication",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [InternChatUnauthorized, InternChatForbidden, InternChatTooManyRequests]
  }
) {}

/** The message was added to a running turn. */
const SteeredResponse = Schema.Struct({
  session_id: Schema.String,
  status: Schema.Literal("steered")
})

const InternChatStreamEvent = Schema.Struct({
  ...InternChatChunk.fields,
  /** Failure that ended the stream, in the last chunk. */
  error: Schema.optionalKey(
    Schema.Struct({
      /** HTTP status of the same failure before the stream starts. */
      code: Schema.Int,
      message: Schema.String,
      metadata: InternChatErrorMetadata
    })
  )
})

export const internChatEndpoint = HttpApiEndpoint.post(
  "chat",
  "/api/v1/interns/:internId/chat/completions",
  {
    params: { internId: Schema.String },
    payload: InternChatRequest,
    success: [
      HttpApiSchema.StreamSse({ data: InternChatStreamEvent }),
      SteeredResponse.annotate({
        httpApiStatus: 202,
        description:
          "The message was added to a running turn. The request that started the turn receives the answer."
      })
    ],
    error: internChatErrors
  }
)
  .middleware(InternChatAuthentication)
  .annotate(OpenApi.Summary, "Chat with an intern. The answer is streamed.")
  .annotate(RequiredCaller, "member")
  .annotate(HasClosedStatuses, false)
  // The turn itself has no time limit.
  .annotate(TimeLimited, "input")
  .annotate(ErrorFormat, "internChat")
