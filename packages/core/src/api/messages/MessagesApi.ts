/** The operations of Anthropic's Messages API. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { ErrorFormat, RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import { routingHeaders, routingMetadataFields } from "../contract/routingMetadataFields.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { MessageSchema } from "../../domains/messages/Message.ts"
import { MessagesRequestSchema } from "../../domains/messages/MessagesRequest.ts"
import {
  MessagesAuthentication,
  MessagesBadRequest,
  messagesErrors,
  MessagesNotFound,
  MessagesTooLarge,
  routedMessagesErrors
} from "./MessagesErrorEnvelope.ts"

const apiHeaders = {
  /**
   * The version of Anthropic's API; any value is accepted. It is sent to providers with this API; default:
   * `2023-06-01`.
   */
  "anthropic-version": Schema.optionalKey(Schema.String),
  /** Comma-separated betas, for providers with this API. */
  "anthropic-beta": Schema.optionalKey(Schema.String)
}

export class MessagesApi extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/messages", {
      headers: {
        ...apiHeaders,
        "x-session-id": Schema.optionalKey(SessionId),
        ...routingHeaders
      },
      payload: MessagesRequestSchema,
      success: [
        Schema.StructWithRest(
          Schema.Struct({ ...MessageSchema.schema.fields, ...routingMetadataFields }),
          MessageSchema.records
        ),
        // Declared as bytes because each event has a name.
        HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" })
      ],
      error: [...messagesErrors, ...routedMessagesErrors]
    })
      .annotate(OpenApi.Summary, "Create a message by Anthropic's API, whole or streamed.")
      .annotate(
        OpenApi.Description,
        "Create a message by Anthropic's API, at a model of any provider. With `stream`, the response is a stream of server-sent events, from `message_start` to `message_stop`. A stream that fails ends with an `error` event."
      ),
    HttpApiEndpoint.post("countTokens", "/api/v1/messages/count_tokens", {
      headers: apiHeaders,
      payload: MessagesRequestSchema,
      success: Schema.Struct({ input_tokens: Schema.Int }),
      error: [...messagesErrors, MessagesBadRequest, MessagesNotFound, MessagesTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Estimate the tokens of a prompt with its system prompt and tools, without calling a provider."
    )
  )
  .middleware(MessagesAuthentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(ErrorFormat, "messages")
  .annotate(OpenApi.Title, "Messages") {}
