/** A video model as callers see it: its names and capabilities. */
import * as Schema from "effect/Schema"
import type { Model } from "../../engine/catalog/model/Model.ts"
import * as VideoCapabilities from "../../engine/catalog/model/VideoCapabilities.ts"

/** A video model as `GET /videos/models` returns it. */
export const VideoModel = Schema.Struct({
  id: Schema.String,
  canonical_slug: Schema.String,
  name: Schema.String,
  description: Schema.String,
  /** Seconds since the epoch. */
  created: Schema.Int,
  hugging_face_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  ...VideoCapabilities.VideoCapabilities.fields
})
export type VideoModel = typeof VideoModel.Type

export const make = ({
  card,
  video = VideoCapabilities.unknownCapabilities
}: Model): VideoModel => ({
  id: card.id,
  canonical_slug: card.canonical_slug,
  name: card.name,
  description: card.description,
  created: card.created,
  ...(card.hugging_face_id === undefined ? undefined : { hugging_face_id: card.hugging_face_id }),
  ...video
})
