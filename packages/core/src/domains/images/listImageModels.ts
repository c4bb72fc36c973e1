/** Lists the models and endpoints of the catalog that make images. */
import * as BigDecimal from "effect/BigDecimal"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import type { ParameterRange } from "../../engine/catalog/endpoint/ImageTerms.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import { servesOperation } from "../../engine/catalog/model/servesOperation.ts"
import type { ImageEndpoint, ImageModel, ImageParameters } from "./ImageModel.ts"
import { isStreaming } from "./makeImageWork.ts"
import { listPriceLines } from "./priceImages.ts"

/** In the order of the configuration, without hidden models. `mount` is where the instance is in its host. */
export const listImageModels = (
  configuration: Configuration,
  mount: string
): ReadonlyArray<ImageModel> =>
  configuration.models
    .filter((model) => !model.hidden && servesOperation(model, "images"))
    .map((model) => {
      const { architecture, created, description, id, links, name } = model.card
      const endpoints = listImageEndpoints(model, configuration)
      return {
        id,
        name,
        description,
        created,
        architecture: {
          input_modalities: architecture.input_modalities,
          output_modalities: architecture.output_modalities
        },
        supported_parameters: endpoints
          .map(({ supported_parameters }) => supported_parameters)
          .reduce(joinParameters, {}),
        supports_streaming: endpoints.some((endpoint) => endpoint.supports_streaming),
        endpoints: mount + links.details.replace("/api/v1/models/", "/api/v1/images/models/")
      }
    })

/** Endpoints whose upstream makes no images are left out. */
export const listImageEndpoints = (
  { endpoints }: Model,
  { upstreams }: Configuration
): ReadonlyArray<ImageEndpoint> =>
  endpoints.flatMap((endpoint) => {
    const upstream = upstreams.get(endpoint.provider)
    if (upstream?.images === undefined) return []
    const { images, provider, tag } = endpoint
    return {
      provider_name: upstream.name,
      provider_slug: provider,
      provider_tag: tag === provider ? null : tag,
      pricing: toPricing(endpoint),
      supported_parameters: images?.parameters ?? {},
      supports_streaming: isStreaming(endpoint, upstream.images),
      allowed_passthrough_parameters: images?.passthrough ?? []
    }
  })

const toPricing = (endpoint: Endpoint): ImageEndpoint["pricing"] =>
  listPriceLines(endpoint).flatMap(({ billable, unit, usd, variant }) =>
    usd === undefined
      ? []
      : {
          billable,
          unit,
          cost_usd: BigDecimal.toNumberUnsafe(usd),
          ...(variant === undefined ? undefined : { variant })
        }
  )

/** What at least one of two endpoints takes. */
const joinParameters = (one: ImageParameters, other: ImageParameters): ImageParameters => {
  const joined = new Map(Object.entries(one))
  for (const [name, range] of Object.entries(other)) {
    const known = joined.get(name)
    joined.set(name, known === undefined ? range : joinRanges(known, range))
  }
  return Object.fromEntries(joined)
}

const joinRanges = (one: ParameterRange, other: ParameterRange): ParameterRange => {
  if (one.type === "enum" && other.type === "enum") {
    return { type: "enum", values: Array.from(new Set([...one.values, ...other.values])) }
  }
  if (one.type === "range" && other.type === "range") {
    return {
      type: "range",
      min: Math.min(one.min, other.min),
      max: Math.max(one.max, other.max)
    }
  }
  return one.type === other.type ? one : { type: "boolean" }
}
