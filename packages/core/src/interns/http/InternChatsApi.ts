/** Talking to interns. Source: wire, createInternChatCompletion. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import { InternChatChunk } from "../chat/InternChatChunk.ts"
import { InternChatRequest } from "../chat/InternChatRequest.ts"
import {
  BodyRules,
  ErrorFormat,
  internBodyRules,
  RequiredCaller,
  RequiresInternAccess,
  TimeLimited
} from "../../http/contract/operationAnnotations.ts"
import {
  InternChatErrorMetadata,
  internChatErrors,
  InternChatForbidden,
  InternChatTooManyRequests,
  InternChatUnauthorized
} from "./InternChatErrorEnvelope.ts"

/** Says it in the contract; `makeContractResponder` does it. */
class InternChatAuthentication extends HttpApiMiddleware.Service<InternChatAuthentication>()(
  "@signalbox/core/interns/http/InternChatAuthentication",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [InternChatUnauthorized, InternChatForbidden, InternChatTooManyRequests]
  }
) {}

/** What went into a turn that is running. */
const SteeredResponse = Schema.Struct({
  session_id: Schema.String,
  status: Schema.Literal("steered")
})

const InternChatStreamEvent = Schema.Struct({
  ...InternChatChunk.fields,
  /** Why an answer broke off, in the chunk that finishes it. */
  error: Schema.optionalKey(
    Schema.Struct({
      /** The status it would have had. */
      code: Schema.Int,
      message: Schema.String,
      metadata: InternChatErrorMetadata
    })
  )
})

export class InternChatsApi extends HttpApiGroup.make("internChats")
  .add(
    HttpApiEndpoint.post("chat", "/api/v1/interns/:internId/chat/completions", {
      params: { internId: Schema.String },
      payload: InternChatRequest,
      success: [
        HttpApiSchema.StreamSse({ data: InternChatStreamEvent }),
        SteeredResponse.annotate({
          httpApiStatus: 202,
          description: "It went into a turn that is running; whoever began that gets the answer"
        })
      ],
      error: internChatErrors
    }).annotate(OpenApi.Summary, "Talks to an intern, piece by piece")
  )
  .middleware(InternChatAuthentication)
  .annotate(RequiredCaller, "member")
  .annotate(RequiresInternAccess, true)
  // The turn itself takes as long as it takes.
  .annotate(TimeLimited, "input")
  .annotate(BodyRules, internBodyRules)
  .annotate(ErrorFormat, "internChat")
  .annotate(OpenApi.Title, "Chats with interns") {}
