/** The answer to a request for images, whole or in events. */
import * as Schema from "effect/Schema"

/** The known usage of all attempts; a failed one used nothing. */
export const ImageUsage = Schema.Struct({
  prompt_tokens: Schema.Int,
  completion_tokens: Schema.Int,
  total_tokens: Schema.Int,
  /** Omitted where the provider does not tell the tokens of references apart. */
  prompt_tokens_details: Schema.optionalKey(Schema.Struct({ image_tokens: Schema.Int })),
  completion_tokens_details: Schema.optionalKey(
    Schema.Struct({ image_tokens: Schema.optionalKey(Schema.Int) })
  ),
  /** USD; omitted when a price is unknown. */
  cost: Schema.optionalKey(Schema.Finite),
  /** Whether a customer's own credential was used. */
  is_byok: Schema.Boolean,
  cost_details: Schema.optionalKey(
    Schema.Struct({
      /** USD that a customer's own provider charges. */
      upstream_inference_cost: Schema.Finite,
      upstream_inference_prompt_cost: Schema.Finite,
      upstream_inference_completions_cost: Schema.Finite
    })
  )
})
export type ImageUsage = typeof ImageUsage.Type

/** Images, as files in base64. */
export const ImageList = Schema.Struct({
  id: Schema.String,
  /** Seconds since the epoch. */
  created: Schema.Int,
  /** The catalog id of the model that answered. */
  model: Schema.String,
  provider: Schema.String,
  data: Schema.Array(
    Schema.Struct({
      b64_json: Schema.String,
      /** Such as `image/png`; omitted when unknown. */
      media_type: Schema.optionalKey(Schema.String)
    })
  ),
  usage: ImageUsage
})
export type ImageList = typeof ImageList.Type

/** One event of a stream. The images follow what the provider sent before them; the last one has the usage of all. */
export const ImageEvent = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("image_generation.partial_image"),
    /** The place of the preview among those of its image, from 0. */
    partial_image_index: Schema.Int,
    b64_json: Schema.String
  }),
  Schema.Struct({
    type: Schema.Literal("image_generation.text_chunk"),
    phase: Schema.Literals(["content", "reasoning"]),
    text: Schema.String
  }),
  Schema.Struct({
    type: Schema.Literal("image_generation.completed"),
    b64_json: Schema.String,
    media_type: Schema.optionalKey(Schema.String),
    /** Seconds since the epoch. */
    created: Schema.Int,
    usage: Schema.optionalKey(ImageUsage)
  })
])
export type ImageEvent = typeof ImageEvent.Type
