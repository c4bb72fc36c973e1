/** What a video model supports, in the fields of the HTTP API; null means unknown. */
import * as Schema from "effect/Schema"

const nullableList = <S extends Schema.Top>(item: S) => Schema.NullOr(Schema.Array(item))

/** What a video model supports, such as `supported_resolutions: ["720p"]`; null is unknown. */
export const VideoCapabilities = Schema.Struct({
  supported_resolutions: nullableList(Schema.String),
  supported_aspect_ratios: nullableList(Schema.String),
  supported_sizes: nullableList(Schema.String),
  /** Seconds. */
  supported_durations: nullableList(Schema.Int),
  supported_frame_images: nullableList(Schema.String),
  /** Whether it makes sound; also the default of a request. */
  generate_audio: Schema.NullOr(Schema.Boolean),
  /** Whether it takes a seed. */
  seed: Schema.NullOr(Schema.Boolean),
  creativity: nullableList(Schema.Int),
  upscale_factor: Schema.NullOr(
    Schema.Struct({
      min: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
      max: Schema.optionalKey(Schema.NullOr(Schema.Finite))
    })
  ),
  allowed_passthrough_parameters: Schema.Array(Schema.String),
  /**
   * Whether it edits or extends its own videos (`previous_job_id`); not part of the HTTP API of other services. When
   * absent, `VideoCapability.continuesVideos` of the upstream decides.
   */
  supports_continuation: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  /** USD per unit sold, by the unit's name, as decimal strings. */
  pricing_skus: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.String)))
})
export type VideoCapabilities = typeof VideoCapabilities.Type

/** The capabilities of a model of which nothing is known. */
export const unknownCapabilities: VideoCapabilities = {
  supported_resolutions: null,
  supported_aspect_ratios: null,
  supported_sizes: null,
  supported_durations: null,
  supported_frame_images: null,
  generate_audio: null,
  seed: null,
  creativity: null,
  upscale_factor: null,
  allowed_passthrough_parameters: []
}
