/** Operations on the providers behind the endpoints. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { authenticatedErrors, Authentication } from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { ProviderInfo } from "../../domains/listing/ProviderInfo.ts"

export class ProvidersApi extends HttpApiGroup.make("providers")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/providers", {
      success: dataEnvelope(Schema.Array(ProviderInfo)),
      error: authenticatedErrors
    }).annotate(OpenApi.Summary, "List providers and their data policies.")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Title, "Providers") {}
