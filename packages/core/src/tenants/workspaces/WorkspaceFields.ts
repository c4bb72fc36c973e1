/** The fields of a workspace that callers set. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import { isUuid } from "../../values/ids/Ids.ts"
import { Description, isMaxCharacters, isPlainText } from "../../values/validation/text.ts"

export const ModelName = Schema.NonEmptyString.check(isMaxCharacters(200))

const DefaultModel = Schema.NullOr(Schema.String.check(isMaxCharacters(200)))

/** From 0.0001 to 1. */
export const SamplingRate = Schema.Finite.check(Schema.isBetween({ minimum: 0.0001, maximum: 1 }))

export const Slug = Schema.String.check(
  Schema.isPattern(/^[a-z0-9]+(-[a-z0-9]+)*$/, {
    expected: "lower-case letters and digits, with single hyphens between them"
  }),
  Schema.isMaxLength(100),
  // A slug with the form of an id would hide the workspace with that id.
  Schema.makeFilter((slug: string) =>
    isUuid(slug) ? "must not have the form of a UUID, which is that of an id" : undefined
  )
)

export const providerSorts = ["price", "throughput", "latency", "exacto"] as const

/** All but the name and the slug. */
export const settingFields = {
  description: Description,
  /** Stored for clients; images are not supported yet. */
  default_image_model: DefaultModel,
  /** The model of chats and interns without one. */
  default_text_model: DefaultModel,
  /** The `sort` of requests without one. */
  default_provider_sort: Schema.NullOr(Schema.Literals(providerSorts)),
  /** The keys whose requests are logged with content; null for all. */
  io_logging_api_key_ids: Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(1_000))),
  /** The share of requests logged with content. */
  io_logging_sampling_rate: SamplingRate,
  /** Stored for clients; there is no discount. */
  is_data_discount_logging_enabled: Schema.Boolean,
  /** Whether prompts and answers are kept, sealed, for `GET /generation/content`. */
  keep_content: Schema.Boolean,
  /** Whether generations are sent to the host's broadcast. */
  is_observability_broadcast_enabled: Schema.Boolean,
  /** Whether content is sent to the host's I/O log. */
  is_observability_io_logging_enabled: Schema.Boolean
}

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
