/** Whether a part of a request is an image, audio, video or file instead of text. */
import * as Predicate from "effect/Predicate"

const mediaTypes: ReadonlySet<unknown> = new Set([
  "image_url",
  "input_image",
  "input_audio",
  "audio_url",
  "video_url",
  "input_video",
  "file",
  "input_file"
])

export const isMediaPart = (part: unknown): boolean =>
  Predicate.isObject(part) && mediaTypes.has(part["type"])
