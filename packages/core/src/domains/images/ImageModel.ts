/** Models and endpoints that make images, as callers see them. */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { ParameterRange } from "../../engine/catalog/endpoint/ImageTerms.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import { servesOperation } from "../../engine/catalog/model/servesOperation.ts"
import { isStreaming } from "./makeImageWork.ts"
import { listPriceLines } from "./priceImages.ts"

const Parameters = Schema.Record(Schema.String, ParameterRange)
type Parameters = typeof Parameters.Type

/** A model that makes images. */
export const ImageModel = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Schema.String,
  /** Seconds since the epoch. */
  created: Schema.Int,
  architecture: Schema.Struct({
    input_modalities: Schema.Array(Schema.String),
    output_modalities: Schema.Array(Schema.String)
  }),
  /** What some endpoint takes, by the name of the parameter. */
  supported_parameters: Parameters,
  /** Whether some endpoint sends previews. */
  supports_streaming: Schema.Boolean,
  /** The path of its endpoints, below the mount. */
  endpoints: Schema.String
})
export type ImageModel = typeof ImageModel.Type

/** An endpoint that makes images. */
export const ImageEndpoint = Schema.Struct({
  provider_name: Schema.String,
  provider_slug: Schema.String,
  /** The slug with the variant, which `only`, `ignore` and `order` match; null without a variant. */
  provider_tag: Schema.NullOr(Schema.String),
  /** Every line that applies to an image is charged. Lines with an unknown price are left out. */
  pricing: Schema.Array(
    Schema.Struct({
      billable: Schema.String,
      unit: Schema.String,
      cost_usd: Schema.Finite,
      /** The images that the line is for; omitted: all for which there is no other one. */
      variant: Schema.optionalKey(Schema.String)
    })
  ),
  supported_parameters: Parameters,
  supports_streaming: Schema.Boolean,
  /** Parameters of the provider's own. */
  allowed_passthrough_parameters: Schema.Array(Schema.String)
})
export type ImageEndpoint = typeof ImageEndpoint.Type

/** In the order of the configuration, without hidden models. */
export const listImageModels = (configuration: Configuration): ReadonlyArray<ImageModel> =>
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
        endpoints: links.details.replace("/api/v1/models/", "/api/v1/images/models/")
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
const joinParameters = (one: Parameters, other: Parameters): Parameters => {
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
