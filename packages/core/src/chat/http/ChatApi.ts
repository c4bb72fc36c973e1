/** Chats, whole or streamed. Source: wire, POST /chat/completions. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { ChatCompletion } from "../ChatCompletion.ts"
import { ChatRequest } from "../request/ChatRequest.ts"
import { SessionId } from "../../values/ids/SessionId.ts"
import { RawBody, RequiredCaller } from "../../http/contract/operationAnnotations.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import {
  authenticatedErrors,
  BadGateway,
  BadRequest,
  EdgeTimeout,
  NotFound,
  PayloadTooLarge,
  PaymentRequired,
  ProviderOverloaded,
  ServiceUnavailable
} from "../../http/contract/ErrorEnvelope.ts"
import { routingMetadataFields, routingHeaders } from "../../http/contract/routingMetadataFields.ts"

export class ChatApi extends HttpApiGroup.make("chat")
  .add(
    HttpApiEndpoint.post("complete", "/api/v1/chat/completions", {
      headers: {
        "x-session-id": Schema.optionalKey(SessionId),
        ...routingHeaders
      },
      payload: ChatRequest,
      success: [
        Schema.Struct({ ...ChatCompletion.fields, ...routingMetadataFields }),
        // Bytes: `[DONE]`, which clients of this dialect wait for, is no chunk.
        HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" })
      ],
      error: [
        ...authenticatedErrors,
        BadRequest,
        PaymentRequired,
        NotFound,
        PayloadTooLarge,
        BadGateway,
        ServiceUnavailable,
        EdgeTimeout,
        ProviderOverloaded
      ]
    })
      .annotate(OpenApi.Summary, "Answers a chat, whole or piece by piece")
      .annotate(
        OpenApi.Description,
        "With `stream`, server-sent events whose data is a chat.completion.chunk each: the pieces, one without choices that has the usage, then [DONE]. One that breaks off ends with a chunk that has an `error`, and without [DONE]."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(OpenApi.Title, "Chat") {}
