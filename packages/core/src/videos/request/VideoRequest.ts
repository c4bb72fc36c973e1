/** A video as a caller asks for it. */
import * as Schema from "effect/Schema"
import { Preferences } from "../../routing/Preferences.ts"
import { EndUser } from "../../values/ids/EndUser.ts"
import { SessionId } from "../../values/ids/SessionId.ts"
import { Trace } from "../../values/Trace.ts"
import { VideoJobId } from "../VideoJobId.ts"

const UrlReference = Schema.Struct({ url: Schema.NonEmptyString })

/** The first or the last picture of a video. */
const FrameImage = Schema.Struct({
  type: Schema.Literal("image_url"),
  image_url: UrlReference,
  frame_type: Schema.Literals(["first_frame", "last_frame"])
})

/** What a video is to look or sound like. Providers that cannot use sound or video leave those out. */
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
 * Interface specification, Video generation request; names and forms as the wire has them. What a model
 * can do is another matter: see `checkVideoRequest`. Unknown top-level keys are ignored; no field may be null.
 */
export const VideoRequest = Schema.Struct({
  model: Schema.NonEmptyString,
  /** Needed unless the model makes videos of pictures alone. */
  prompt: Schema.optionalKey(Schema.NonEmptyString),
  aspect_ratio: Schema.optionalKey(Schema.String.check(ratio)),
  resolution: Schema.optionalKey(Schema.NonEmptyString),
  /** Seconds. */
  duration: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(1))),
  /** Stands in for `resolution` and `aspect_ratio`. */
  size: Schema.optionalKey(Schema.String.check(pixels)),
  seed: Schema.optionalKey(Schema.Finite),
  /** Default: `generate_audio` of the model's capabilities, false when nobody states it. */
  generate_audio: Schema.optionalKey(Schema.Boolean),
  /** They win over `input_references` (semantics B). */
  frame_images: Schema.optionalKey(Schema.Array(FrameImage)),
  input_references: Schema.optionalKey(Schema.Array(InputReference)),
  /** A completed job to edit or extend, on its model and endpoint, if that model can. */
  previous_job_id: Schema.optionalKey(VideoJobId),
  callback_url: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(
    Schema.Struct({
      ...Preferences.fields,
      /** By provider slug; a provider gets its own alone. */
      options: Schema.optionalKey(
        Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown))
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
