/** The request body for images. */
import * as Schema from "effect/Schema"
import { Preferences } from "../../routing/Preferences.ts"
import { EndUser, SessionId } from "../../values/ids/Ids.ts"
import { Trace } from "../../values/Trace.ts"

/** An image to begin with, at an `https:`, `http:` or `data:` address. */
export const ImageReference = Schema.Struct({
  type: Schema.Literal("image_url"),
  image_url: Schema.StructWithRest(Schema.Struct({ url: Schema.NonEmptyString }), [
    Schema.Record(Schema.String, Schema.Unknown)
  ])
})
export type ImageReference = typeof ImageReference.Type

/** The preferences of other operations, and options of providers. */
const ImagePreferences = Schema.Struct({
  ...Preferences.fields,
  /** Keyed by provider slug; a provider receives only its own entry. */
  options: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Json))
  )
})

const optionalText = Schema.optionalKey(Schema.NonEmptyString)

/** Every field of the router, and every parameter that has the same meaning at all providers. */
export const imageFields = {
  model: Schema.NonEmptyString,
  prompt: Schema.NonEmptyString,
  /** How many images to make at most; default 1. */
  n: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 }))),
  /** `<width>x<height>` in pixels, or a resolution such as `2K`. */
  size: optionalText,
  /** Such as `512`, `1K`, `2K` or `4K`. */
  resolution: optionalText,
  /** Such as `16:9`; `auto` is the model's choice. */
  aspect_ratio: optionalText,
  /** Such as `low`, `medium` or `high`. */
  quality: optionalText,
  /** `transparent` or `opaque`; `auto` is the model's choice. */
  background: optionalText,
  /** `png`, `jpeg`, `webp` or `svg`. */
  output_format: optionalText,
  /** 0 to 100. */
  output_compression: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
  ),
  seed: Schema.optionalKey(Schema.Int),
  /** Images to begin with. */
  input_references: Schema.optionalKey(Schema.Array(ImageReference).check(Schema.isMaxLength(16))),
  /** The address of an image whose transparent parts are replaced in the first reference. */
  mask: optionalText,
  /** Whether the answer is a stream, which has previews where the provider makes them. */
  stream: Schema.optionalKey(Schema.Boolean),
  /** How many previews of each image a stream has, where the provider lets a caller choose. */
  partial_images: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
  ),
  /** Images are always base64. */
  response_format: Schema.optionalKey(Schema.Literal("b64_json")),
  provider: Schema.optionalKey(ImagePreferences),
  session_id: Schema.optionalKey(SessionId),
  trace: Schema.optionalKey(Trace),
  user: Schema.optionalKey(EndUser)
}

/** Every other key is a parameter of the model. It is passed through to endpoints that support it. */
export const ImageRequest = Schema.StructWithRest(Schema.Struct(imageFields), [
  Schema.Record(Schema.String, Schema.Unknown)
])

/** A request for images in process. */
export interface ImageRequest {
  readonly model: string
  readonly prompt: string
  /** How many images to make at most, 1 to 10; default 1. */
  readonly n?: number | null
  /** `<width>x<height>` in pixels, or a resolution such as `2K`. */
  readonly size?: string | null
  /** Such as `512`, `1K`, `2K` or `4K`. */
  readonly resolution?: string | null
  /** Such as `16:9`. */
  readonly aspect_ratio?: string | null
  /** Such as `low`, `medium` or `high`. */
  readonly quality?: string | null
  /** `transparent` or `opaque`. */
  readonly background?: string | null
  /** `png`, `jpeg`, `webp` or `svg`. */
  readonly output_format?: string | null
  /** 0 to 100. */
  readonly output_compression?: number | null
  readonly seed?: number | null
  /** Images to begin with, at most 16, at `https:`, `http:` or `data:` addresses. */
  readonly input_references?: ReadonlyArray<ImageReference> | null
  /** The address of an image whose transparent parts are replaced in the first reference. */
  readonly mask?: string | null
  /** How many previews of each image `streamImages` has, 0 to 3, where the provider lets a caller choose. */
  readonly partial_images?: number | null
  /** Routing preferences; `options` are keyed by provider slug, and a provider receives only its own entry. */
  readonly provider?:
    | (Preferences & {
        readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
      })
    | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. */
  readonly user?: string | null
  /** Further parameters of the provider. */
  readonly extra?: Readonly<Record<string, unknown>>
}

const { input_references: _, mask: __, ...sharedFields } = imageFields

/**
 * A request for images in the form of OpenAI's API (https://platform.openai.com/docs/api-reference/images): `POST
 * /images/generations` has the fields of `POST /images`.
 */
export const OpenAiImageRequest = Schema.StructWithRest(Schema.Struct(imageFields), [
  Schema.Record(Schema.String, Schema.Unknown)
])

/** An address, as a text or in an object. */
const Address = Schema.Union([
  Schema.NonEmptyString,
  Schema.Struct({ image_url: Schema.NonEmptyString })
])

/** The same fields; images and a mask are addresses, `data:` among them. */
export const OpenAiEditRequest = Schema.StructWithRest(
  Schema.Struct({
    ...sharedFields,
    image: Schema.optionalKey(Schema.Union([Schema.NonEmptyString, Schema.Array(Address)])),
    images: Schema.optionalKey(Schema.Array(Address)),
    mask: Schema.optionalKey(Address)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)
