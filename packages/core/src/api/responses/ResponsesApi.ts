/** The operation of OpenAI's Responses API. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication, routedErrors } from "../contract/ErrorEnvelope.ts"
import { RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import { routingHeaders } from "../contract/routingMetadataFields.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { ResponseObject } from "../../domains/responses/ResponseObject.ts"
import { ResponsesRequest } from "../../domains/responses/ResponsesRequest.ts"

export class ResponsesApi extends HttpApiGroup.make("responses")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/responses", {
      headers: {
        "x-session-id": Schema.optionalKey(SessionId),
        ...routingHeaders
      },
      payload: ResponsesRequest,
      success: [
        ResponseObject,
        // Declared as bytes because the final `[DONE]` is not a JSON event.
        HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" })
      ],
      error: routedErrors
    })
      .annotate(OpenApi.Summary, "Create a response, whole or streamed.")
      .annotate(
        OpenApi.Description,
        "Create a response by OpenAI's Responses API, without storing it. With `stream`, the response is a stream of server-sent events, each with a `type` and a `sequence_number`. The last one is `response.completed`, `response.incomplete` or `response.failed`, and has the whole response; `[DONE]` follows it. An `error` comes before `response.failed`."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(OpenApi.Title, "Responses") {}
