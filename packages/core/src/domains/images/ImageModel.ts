/** Models and endpoints that make images, as callers see them. */
import * as Schema from "effect/Schema"
import { ParameterRange } from "../../engine/catalog/endpoint/ImageTerms.ts"

/** What is taken, by the name of the parameter. */
export const ImageParameters = Schema.Record(Schema.String, ParameterRange)
export type ImageParameters = typeof ImageParameters.Type

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
  supported_parameters: ImageParameters,
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
  supported_parameters: ImageParameters,
  supports_streaming: Schema.Boolean,
  /** Parameters of the provider's own. */
  allowed_passthrough_parameters: Schema.Array(Schema.String)
})
export type ImageEndpoint = typeof ImageEndpoint.Type
