/** Request bodies that create and change workspaces. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import { isMaxCharacters, isPlainText } from "../../values/validation/text.ts"
import { settingFields, Slug } from "./WorkspaceFields.ts"

/** Responses show unset values as empty; sending an empty value back sets nothing. */
const emptyToNull = <S extends Schema.Codec<string | null>>(schema: S) =>
  Schema.Union([schema, Schema.Literal("")]).pipe(
    Schema.decodeTo(
      schema,
      SchemaTransformation.transform<S["Encoded"], string | null>({
        decode: (text) => (text === "" ? null : text),
        encode: (value) => value
      })
    )
  )

const patchFields = {
  ...settingFields,
  description: emptyToNull(settingFields.description),
  default_image_model: emptyToNull(settingFields.default_image_model),
  default_text_model: emptyToNull(settingFields.default_text_model),
  default_provider_sort: emptyToNull(settingFields.default_provider_sort)
}

const nameFields = {
  name: Schema.NonEmptyString.check(isMaxCharacters(200), isPlainText),
  slug: Slug
}

/** The request body of a new workspace. */
export const NewWorkspace = Schema.Struct({
  ...nameFields,
  ...Schema.Struct(patchFields).mapFields(Struct.map(Schema.optionalKey)).fields
})
export type NewWorkspace = typeof NewWorkspace.Type

/** Omitted fields stay unchanged. */
export const WorkspacePatch = Schema.Struct({ ...nameFields, ...patchFields }).mapFields(
  Struct.map(Schema.optionalKey)
)
export type WorkspacePatch = typeof WorkspacePatch.Type
