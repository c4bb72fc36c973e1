/** The operation that makes embeddings. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication, RequestTimeout, routedErrors } from "../contract/ErrorEnvelope.ts"
import { RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import { routingHeaders, routingMetadataFields } from "../contract/routingMetadataFields.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { EmbeddingList } from "../../domains/embeddings/EmbeddingList.ts"
import { EmbeddingRequest } from "../../domains/embeddings/request/EmbeddingRequest.ts"

export class EmbeddingsApi extends HttpApiGroup.make("embeddings")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/embeddings", {
      headers: {
        "x-session-id": Schema.optionalKey(SessionId),
        ...routingHeaders
      },
      payload: EmbeddingRequest,
      success: Schema.Struct({ ...EmbeddingList.fields, ...routingMetadataFields }),
      error: [...routedErrors, RequestTimeout]
    })
      .annotate(OpenApi.Summary, "Make embeddings: one vector for each input.")
      .annotate(
        OpenApi.Description,
        "Make embeddings: one vector for each input, in their order. Every attempt is at an endpoint of the requested model, because vectors of two models cannot be compared. The whole list succeeds or fails."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(OpenApi.Title, "Embeddings") {}
