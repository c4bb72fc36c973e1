/** The request body of a video job. */
import * as Schema from "effect/Schema"
import type { VideoCapabilities } from "../../../engine/catalog/model/VideoCapabilities.ts"
import { Preferences } from "../../../routing/Preferences.ts"
import { EndUser, SessionId } from "../../../values/ids/Ids.ts"
import { Trace } from "../../../values/Trace.ts"
import { VideoJobId } from "../VideoJobId.ts"

const UrlReference = Schema.Struct({ url: Schema.NonEmptyString })

/** The first or last frame of a video. */
const FrameImage = Schema.Struct({
  type: Schema.Literal("image_url"),
  image_url: UrlReference,
  frame_type: Schema.Literals(["first_frame", "last_frame"])
})

/** A reference for the style or content of a video. Providers ignore media types they do not support. */
const InputReference = Schema.Union([
  Schema.Struct({ type: Schema.Literal("image_url"), image_url: UrlReference }),
  Schema.Struct({ type: Schema.Literal("audio_url"), audio_url: UrlReference }),
  Schema.Struct({ type: Schema.Literal("video_url"), video_url: UrlReference })
])

const pixels = Schema.isPattern(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/, {
  expected: "WIDTHxHEIGHT in pixels"
})
const ratio = Schema.isPattern(/^[1-9]\d{0,3}:[1-9]\d{0,3}$/, { expected: "a ratio such as 16:9" })

/**
 * See https://openrouter.ai/docs/api_reference/videos. `checkVideoRequest` checks what the model supports.
 * Unknown top-level keys are ignored; no field may be null.
 */
export const VideoRequest = Schema.Struct({
  model: Schema.NonEmptyString,
  /** Required unless the model needs no text. */
  prompt: Schema.optionalKey(Schema.NonEmptyString),
  aspect_ratio: Schema.optionalKey(Schema.String.check(ratio)),
  resolution: Schema.optionalKey(Schema.NonEmptyString),
  /** Seconds. */
  duration: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(1))),
  /** Alternative to `resolution` and `aspect_ratio`. */
  size: Schema.optionalKey(Schema.String.check(pixels)),
  seed: Schema.optionalKey(Schema.Finite),
  /** Default: `generate_audio` of the model's capabilities, else false. */
  generate_audio: Schema.optionalKey(Schema.Boolean),
  /** Take precedence over `input_references`. */
  frame_images: Schema.optionalKey(Schema.Array(FrameImage)),
  input_references: Schema.optionalKey(Schema.Array(InputReference)),
  /** A completed job to edit or extend, on the same model and endpoint. */
  previous_job_id: Schema.optionalKey(VideoJobId),
  callback_url: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(
    Schema.Struct({
      ...Preferences.fields,
      /** Keyed by provider slug; a provider receives only its own entry. */
      options: Schema.optionalKey(
        Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Json))
      )
    })
  ),
  creativity: Schema.optionalKey(Schema.Finite),
  upscale_factor: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  session_id: Schema.optionalKey(SessionId),
  trace: Schema.optionalKey(Trace),
  user: Schema.optionalKey(EndUser)
})
export type VideoRequest = typeof VideoRequest.Type

/** Whether a video has audio: the request decides, then the capability of the model; default false. */
export const hasAudio = (
  { generate_audio }: Pick<VideoRequest, "generate_audio">,
  capabilities: Pick<VideoCapabilities, "generate_audio"> | undefined
): boolean => generate_audio ?? capabilities?.generate_audio ?? false
