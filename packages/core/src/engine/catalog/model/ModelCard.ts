/** The catalog entry of a model, in the fields of the HTTP API. */
import * as Schema from "effect/Schema"

const optionalNullable = <S extends Schema.Top>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema))
const Text = optionalNullable(Schema.String)
const OptionalInt = optionalNullable(Schema.Int)
const OptionalNumber = optionalNullable(Schema.Finite)
const Texts = Schema.Array(Schema.String)

const Override = Schema.Struct({
  /** Applies above this number of prompt tokens. */
  min_prompt_tokens: Schema.optionalKey(Schema.Finite),
  utc_days: Schema.optionalKey(Texts),
  /** HHMM, inclusive. */
  utc_start: Schema.optionalKey(Schema.Finite),
  /** HHMM, exclusive; the window may wrap midnight. */
  utc_end: Schema.optionalKey(Schema.Finite),
  prompt: Schema.optionalKey(Schema.String),
  completion: Schema.optionalKey(Schema.String),
  audio: Schema.optionalKey(Schema.String),
  input_audio_cache: Schema.optionalKey(Schema.String),
  input_cache_read: Schema.optionalKey(Schema.String),
  input_cache_write: Schema.optionalKey(Schema.String),
  input_cache_write_1h: Schema.optionalKey(Schema.String)
})

/** USD per unit as decimal strings; `"-1"` is unknown or decided per request. */
const Pricing = Schema.Struct({
  prompt: Schema.optionalKey(Schema.String),
  completion: Schema.optionalKey(Schema.String),
  request: Schema.optionalKey(Schema.String),
  image: Schema.optionalKey(Schema.String),
  audio: Schema.optionalKey(Schema.String),
  image_token: Schema.optionalKey(Schema.String),
  image_output: Schema.optionalKey(Schema.String),
  audio_output: Schema.optionalKey(Schema.String),
  input_audio_cache: Schema.optionalKey(Schema.String),
  input_cache_read: Schema.optionalKey(Schema.String),
  input_cache_write: Schema.optionalKey(Schema.String),
  input_cache_write_1h: Schema.optionalKey(Schema.String),
  internal_reasoning: Schema.optionalKey(Schema.String),
  web_search: Schema.optionalKey(Schema.String),
  /** Per character of text to speak. */
  character: Schema.optionalKey(Schema.String),
  /** Per second of audio to transcribe. */
  second: Schema.optionalKey(Schema.String),
  /** The fraction, 0 to 1, that has been taken off the prices. */
  discount: Schema.optionalKey(Schema.Finite),
  /** Other prices for long prompts or times of the week. */
  overrides: Schema.optionalKey(Schema.Array(Override))
})

const Benchmarks = Schema.Struct({
  artificial_analysis: Schema.optionalKey(
    Schema.Struct({
      intelligence_index: OptionalNumber,
      coding_index: OptionalNumber,
      agentic_index: OptionalNumber
    })
  ),
  design_arena: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        arena: Schema.String,
        category: Schema.String,
        elo: Schema.Finite,
        rank: Schema.Int,
        win_rate: Schema.Finite
      })
    )
  )
})

const DefaultParameters = Schema.Struct({
  temperature: OptionalNumber,
  top_p: OptionalNumber,
  top_k: OptionalInt,
  frequency_penalty: OptionalNumber,
  presence_penalty: OptionalNumber,
  repetition_penalty: OptionalNumber
})

const PerRequestLimits = Schema.Struct({
  prompt_tokens: Schema.Finite,
  completion_tokens: Schema.Finite
})

const Reasoning = Schema.Struct({
  mandatory: Schema.Boolean,
  default_enabled: Schema.optionalKey(Schema.Boolean),
  default_effort: Text,
  supported_efforts: optionalNullable(Schema.Array(Schema.NullOr(Schema.String))),
  supports_max_tokens: Schema.optionalKey(Schema.Boolean)
})

const AliasTarget = Schema.Struct({ name: Schema.String, slug: Schema.String })

/** The card fields that a host or a model list provides; missing fields are derived from the endpoints. */
export const CardConfig = Schema.Struct({
  canonical_slug: Text,
  description: Text,
  /** Tokens. */
  context_length: OptionalInt,
  architecture: optionalNullable(
    Schema.Struct({
      /** Default: text. */
      input_modalities: optionalNullable(Texts),
      /** Default: text. */
      output_modalities: optionalNullable(Texts),
      /** Default: both lists, such as `text+image->text`. */
      modality: Text,
      tokenizer: Text,
      instruct_type: Text
    })
  ),
  pricing: optionalNullable(Pricing),
  top_provider: optionalNullable(
    Schema.Struct({
      context_length: OptionalInt,
      max_completion_tokens: OptionalInt,
      is_moderated: optionalNullable(Schema.Boolean)
    })
  ),
  per_request_limits: optionalNullable(PerRequestLimits),
  supported_parameters: optionalNullable(Texts),
  default_parameters: optionalNullable(DefaultParameters),
  supported_voices: optionalNullable(Texts),
  /** `YYYY-MM-DD`. */
  knowledge_cutoff: Text,
  /** `YYYY-MM-DD`. */
  expiration_date: Text,
  hugging_face_id: Text,
  reasoning: optionalNullable(Reasoning),
  benchmarks: optionalNullable(Benchmarks),
  /** The target of an alias, from its list. */
  alias_target: optionalNullable(AliasTarget)
})
export type CardConfig = typeof CardConfig.Type

/** A model as the HTTP API lists it. */
export const ModelCard = Schema.Struct({
  id: Schema.String,
  /** The name of this version; variants share one. */
  canonical_slug: Schema.String,
  name: Schema.String,
  description: Schema.String,
  /** Seconds since the epoch. */
  created: Schema.Int,
  /** Tokens; null when unknown. */
  context_length: Schema.NullOr(Schema.Int),
  architecture: Schema.Struct({
    input_modalities: Texts,
    output_modalities: Texts,
    modality: Schema.String,
    /** `Other` when unknown. */
    tokenizer: Schema.String,
    /** `none` when unknown. */
    instruct_type: Schema.String
  }),
  pricing: Schema.Struct({
    ...Pricing.fields,
    prompt: Schema.String,
    completion: Schema.String,
    request: Schema.String,
    image: Schema.String
  }),
  top_provider: Schema.Struct({
    /** Absent when unknown, as the next one. */
    context_length: Schema.optionalKey(Schema.Int),
    max_completion_tokens: Schema.optionalKey(Schema.Int),
    is_moderated: Schema.Boolean
  }),
  per_request_limits: Schema.NullOr(PerRequestLimits),
  supported_parameters: Texts,
  default_parameters: Schema.NullOr(DefaultParameters),
  supported_voices: Schema.NullOr(Texts),
  knowledge_cutoff: Schema.NullOr(Schema.String),
  expiration_date: Schema.NullOr(Schema.String),
  hugging_face_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  reasoning: Schema.optionalKey(Reasoning),
  benchmarks: Schema.optionalKey(
    Schema.Struct({
      artificial_analysis: Schema.optionalKey(
        Schema.Struct({
          intelligence_index: Schema.NullOr(Schema.Finite),
          coding_index: Schema.NullOr(Schema.Finite),
          agentic_index: Schema.NullOr(Schema.Finite)
        })
      ),
      design_arena: Benchmarks.fields.design_arena.schema
    })
  ),
  alias_target: Schema.optionalKey(AliasTarget),
  links: Schema.Struct({
    /** Path of its endpoints, below the mount. */
    details: Schema.String
  })
})
export type ModelCard = typeof ModelCard.Type
