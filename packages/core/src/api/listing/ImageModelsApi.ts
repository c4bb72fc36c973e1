/** Operations on the models that make images. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ImageEndpoint, ImageModel } from "../../domains/images/ImageModel.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { Authentication, authenticatedErrors, NotFound } from "../contract/ErrorEnvelope.ts"
import { modelParams } from "./ModelsApi.ts"

export class ImageModelsApi extends HttpApiGroup.make("imageModels")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/images/models", {
      success: dataEnvelope(Schema.Array(ImageModel)),
      error: authenticatedErrors
    }).annotate(OpenApi.Summary, "List the models that make images, with what they take."),
    HttpApiEndpoint.get("listEndpoints", "/api/v1/images/models/:author/:slug/endpoints", {
      params: modelParams,
      success: Schema.Struct({ id: Schema.String, endpoints: Schema.Array(ImageEndpoint) }),
      error: [...authenticatedErrors, NotFound]
    }).annotate(
      OpenApi.Summary,
      "List the endpoints that make images with a model, with what they take and cost."
    )
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Image models") {}
