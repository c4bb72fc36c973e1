/** The speech operation. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication, routedErrors } from "../contract/ErrorEnvelope.ts"
import { RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import { routingHeaders } from "../contract/routingMetadataFields.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { SpeechRequest } from "../../domains/speech/SpeechRequest.ts"

export class SpeechApi extends HttpApiGroup.make("speech")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/audio/speech", {
      headers: {
        "x-session-id": Schema.optionalKey(SessionId),
        ...routingHeaders
      },
      payload: SpeechRequest,
      success: HttpApiSchema.StreamUint8Array({ contentType: "audio/*" }),
      error: routedErrors
    })
      .annotate(OpenApi.Summary, "Speak a text.")
      .annotate(
        OpenApi.Description,
        "Speak a text. The answer is the audio itself, as it is made, in the requested format. A connection that breaks off means that the audio is incomplete."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(OpenApi.Title, "Speech") {}
