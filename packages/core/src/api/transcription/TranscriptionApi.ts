/** The transcription operation. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Transcript } from "../../domains/transcription/Transcript.ts"
import { TranscriptionRequest } from "../../domains/transcription/TranscriptionRequest.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { Authentication, routedErrors } from "../contract/ErrorEnvelope.ts"
import { RawBody, RequiredCaller, TakesForms } from "../contract/operationAnnotations.ts"
import { routingHeaders, routingMetadataFields } from "../contract/routingMetadataFields.ts"

export class TranscriptionApi extends HttpApiGroup.make("transcription")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/audio/transcriptions", {
      headers: {
        "x-session-id": Schema.optionalKey(SessionId),
        ...routingHeaders
      },
      payload: TranscriptionRequest,
      success: Schema.Struct({ ...Transcript.fields, ...routingMetadataFields }),
      error: routedErrors
    })
      .annotate(OpenApi.Summary, "Write down what a recording says.")
      .annotate(
        OpenApi.Description,
        "Write down what a recording says. The recording is base64 in JSON, or the `file` of a form (`multipart/form-data`) whose other fields have the names of the JSON, with `timestamp_granularities[]` for a list and JSON as the text of `trace` and `provider`."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(TakesForms, true)
  .annotate(OpenApi.Title, "Transcription") {}
