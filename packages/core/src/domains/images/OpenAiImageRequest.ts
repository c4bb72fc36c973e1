/** Requests for images in the form of OpenAI's API: https://platform.openai.com/docs/api-reference/images. */
import * as Schema from "effect/Schema"
import { imageFields } from "./ImageRequest.ts"

const { input_references: _, mask: __, ...sharedFields } = imageFields

/** `POST /images/generations` has the fields of `POST /images`. */
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
