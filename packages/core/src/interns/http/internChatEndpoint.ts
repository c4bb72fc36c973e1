/** The endpoint of chats with interns. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { InternChatChunk } from "../chat/InternChatChunk.ts"
import { InternChatRequest } from "../chat/InternChatRequest.ts"
import {
  ErrorFormat,
  HasClosedStatuses,
  RequiredCaller,
  TimeLimited
} from "../../http/contract/operationAnnotations.ts"
import {
  InternChatErrorMetadata,
  internChatErrors,
  InternChatForbidden,
  InternChatTooManyRequests,
  InternChatUnauthorized
} from "./InternChatErrorEnvelope.ts"

/** Declares authentication in the contract; `ContractResponder` performs it. */
class InternChatAuthentication extends HttpApiMiddleware.Service<InternChatAuthentication>()(
  "@signalbox/core/interns/http/InternChatAuthentication",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [InternChatUnauthorized, InternChatForbidden, InternChatTooManyRequests]
  }
) {}

/** The message went into a turn that is running. */
const SteeredResponse = Schema.Struct({
  session_id: Schema.String,
  status: Schema.Literal("steered")
})

const InternChatStreamEvent = Schema.Struct({
  ...InternChatChunk.fields,
  /** Why the answer broke off, in its last chunk. */
  error: Schema.optionalKey(
    Schema.Struct({
      /** The HTTP status that this failure has before a stream begins. */
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
          "The message went into a turn that is running; the request that began the turn gets the answer"
      })
    ],
    error: internChatErrors
  }
)
  .middleware(InternChatAuthentication)
  .annotate(OpenApi.Summary, "Talks to an intern; the answer is streamed")
  .annotate(RequiredCaller, "member")
  .annotate(HasClosedStatuses, false)
  // The turn itself has no time limit.
  .annotate(TimeLimited, "input")
  .annotate(ErrorFormat, "internChat")
