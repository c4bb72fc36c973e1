/** The rerank operation. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authentication, routedErrors } from "../contract/ErrorEnvelope.ts"
import { RawBody, RequiredCaller } from "../contract/operationAnnotations.ts"
import { routingHeaders, routingMetadataFields } from "../contract/routingMetadataFields.ts"
import { SessionId } from "../../values/ids/Ids.ts"
import { Ranking } from "../../domains/rerank/Ranking.ts"
import { RerankRequest } from "../../domains/rerank/RerankRequest.ts"

export class RerankApi extends HttpApiGroup.make("rerank")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/rerank", {
      headers: {
        "x-session-id": Schema.optionalKey(SessionId),
        ...routingHeaders
      },
      payload: RerankRequest,
      success: Schema.Struct({ ...Ranking.fields, ...routingMetadataFields }),
      error: routedErrors
    })
      .annotate(OpenApi.Summary, "Rank documents by their relevance to a query, best first.")
      .annotate(
        OpenApi.Description,
        "Rank documents by their relevance to a query, best first. Every attempt is at an endpoint of the requested model, because scores of two models cannot be compared."
      )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "model")
  .annotate(RawBody, true)
  .annotate(OpenApi.Title, "Rerank") {}
