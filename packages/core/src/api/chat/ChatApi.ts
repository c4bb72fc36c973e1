/** The chat completion operation. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { ChatCompletion } from "../../domains/chat/ChatCompletion.ts"
import { ChatRequest } from "../../domains/chat/request/ChatRequest.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import { Authentication, routedErrors } from "../contract/ErrorEnvelope.ts"
import { routingMetadataFields, routingHeaders } from "../contract/routingMetadataFields.ts"

export class ChatApi extends HttpApiGroup.make("chat")
  .add(
    HttpApiEndpoint.post("complete", "/api/v1/chat/completions", {
      headers: {
        "x-session-id": Schema.optionalKey(SessionId),
        /** Comma-separated betas, for providers with Anthropic's API. */
        "x-anthropic-beta": Schema.optionalKey(Schema.String),
        ...routingHeaders
      },
      payload: ChatRequest,
      success: [
        Schema.Struct({ ...ChatCompletion.fields, ...routingMetadataFields }),
        // Declared as bytes because the final `[DONE]` is not a JSON chunk.
        HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" })
      ],
      error: routedErrors
    })
      .annotate(OpenApi.Summary, "Create a chat completion, whole or streamed.")
      .annotate(
        OpenApi.Description,
        "Create a chat completion. With `stream`, the response is a stream of server-sent events. The data of each event is a `chat.completion.chunk`. The last chunk has the usage and no choices; `[DONE]` follows it. A stream that fails ends with a chunk that has an `error`, without `[DONE]`."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(OpenApi.Title, "Chat") {}
