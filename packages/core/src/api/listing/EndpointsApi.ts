/** Operations on the endpoints that serve models. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ModelCard } from "../../engine/catalog/model/ModelCard.ts"
import { authenticatedErrors, Authentication, NotFound } from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { PublicEndpoint } from "../../domains/listing/PublicEndpoint.ts"
import { modelParams } from "./ModelsApi.ts"

export class EndpointsApi extends HttpApiGroup.make("endpoints")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/models/:author/:slug/endpoints", {
      params: modelParams,
      success: dataEnvelope(
        Schema.Struct({
          id: Schema.String,
          name: Schema.String,
          created: Schema.Int,
          description: Schema.String,
          architecture: Schema.Struct({
            ...ModelCard.fields.architecture.fields,
            tokenizer: Schema.NullOr(Schema.String)
          }),
          endpoints: Schema.Array(PublicEndpoint)
        })
      ),
      error: [...authenticatedErrors, NotFound]
    }).annotate(
      OpenApi.Summary,
      "List the endpoints of a model with prices, limits, performance and uptime."
    ),
    HttpApiEndpoint.get("listZdr", "/api/v1/endpoints/zdr", {
      success: dataEnvelope(Schema.Array(PublicEndpoint)),
      error: authenticatedErrors
    }).annotate(OpenApi.Summary, "List the endpoints with zero data retention.")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Endpoints") {}
