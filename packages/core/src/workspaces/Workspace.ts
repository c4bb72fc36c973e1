/** A workspace of an account, as the wire shows it. Sources: interface specification, Workspace; wire. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import { defaultWorkspaceId, isUuid } from "../values/ids/WorkspaceId.ts"
import { isMaxCharacters } from "../values/validation/maxCharacters.ts"

const Description = Schema.NullOr(Schema.String.check(isMaxCharacters(4_096)))

export const ModelName = Schema.NonEmptyString.check(isMaxCharacters(200))

const DefaultModel = Schema.NullOr(Schema.String.check(isMaxCharacters(200)))

/** Between one in ten thousand and all. */
export const SamplingRate = Schema.Finite.check(Schema.isBetween({ minimum: 0.0001, maximum: 1 }))

const Slug = Schema.String.check(
  Schema.isPattern(/^[a-z0-9]+(-[a-z0-9]+)*$/, {
    expected: "lower-case letters and digits, with single hyphens between them"
  }),
  Schema.isMaxLength(100),
  // One that had the form of an id would hide the workspace that has the id.
  Schema.makeFilter((slug: string) =>
    isUuid(slug) ? "must not have the form of a UUID, which is that of an id" : undefined
  )
)

export const providerSorts = ["price", "throughput", "latency", "exacto"] as const

/** What a caller may say of one. */
const settingFields = {
  description: Description,
  /** The model of images where a request names none. Stored; nothing here makes images yet. */
  default_image_model: DefaultModel,
  /** What an intern runs that names no model. */
  default_text_model: DefaultModel,
  /** The `sort` of requests that state none. */
  default_provider_sort: Schema.NullOr(Schema.Literals(providerSorts)),
  /** The keys whose requests are logged with their content; null: all. */
  io_logging_api_key_ids: Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(1_000))),
  /** The share of requests that is logged with its content. */
  io_logging_sampling_rate: SamplingRate,
  /** Stored for clients that read it; there is no discount here. */
  is_data_discount_logging_enabled: Schema.Boolean,
  /** Whether what happens is told to the host's broadcast. */
  is_observability_broadcast_enabled: Schema.Boolean,
  /** Whether content goes to the host's log of inputs and outputs. */
  is_observability_io_logging_enabled: Schema.Boolean
}

/** As it is kept. Null is what it does not state: `WorkspaceDefaults` says what holds then. */
export const Workspace = Schema.Struct({
  id: Schema.String,
  name: Schema.NonEmptyString,
  slug: Slug,
  ...settingFields,
  io_logging_sampling_rate: Schema.NullOr(SamplingRate),
  is_observability_broadcast_enabled: Schema.NullOr(Schema.Boolean),
  is_observability_io_logging_enabled: Schema.NullOr(Schema.Boolean),
  created_by: Schema.String,
  default_guardrail_id: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String,
  include_byok_in_budgets: Schema.Boolean
})
export type Workspace = typeof Workspace.Type

/** Empty is what is told where nothing is set: who sends it back sets nothing. */
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

const nameFields = { name: Schema.NonEmptyString.check(isMaxCharacters(200)), slug: Slug }

/** A workspace as its creator asks for it. */
export const NewWorkspace = Schema.Struct({
  ...nameFields,
  ...Schema.Struct(patchFields).mapFields(Struct.map(Schema.optionalKey)).fields
})
export type NewWorkspace = typeof NewWorkspace.Type

/** What is left out stays as it is. */
export const WorkspacePatch = Schema.Struct({ ...nameFields, ...patchFields }).mapFields(
  Struct.map(Schema.optionalKey)
)
export type WorkspacePatch = typeof WorkspacePatch.Type

interface WorkspaceOrigin {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  readonly by: string
}

export const make = (config: NewWorkspace, { at, by, id }: WorkspaceOrigin): Workspace => ({
  description: null,
  default_image_model: null,
  default_text_model: null,
  default_provider_sort: null,
  io_logging_api_key_ids: null,
  io_logging_sampling_rate: null,
  is_data_discount_logging_enabled: false,
  is_observability_broadcast_enabled: null,
  is_observability_io_logging_enabled: null,
  ...config,
  id,
  created_by: by,
  default_guardrail_id: toDefaultGuardrailId(id),
  created_at: at,
  updated_at: at,
  include_byok_in_budgets: false
})

/** The slug of the default workspace, until somebody gives it another one. */
export const defaultSlug = "default"

/** The workspace an account has before it makes one. */
export const makeDefault = (at: string): Workspace =>
  make({ name: "Default", slug: defaultSlug }, { id: defaultWorkspaceId, at, by: "" })

/** Follows from the workspace: the guardrail itself appears when it is first written. Source: semantics A5. */
export const toDefaultGuardrailId = (id: string): string => {
  // Asked for every request.
  const inverted = 0xffff_ffff - Number.parseInt(id.slice(0, 8), 16)
  return inverted.toString(16).padStart(8, "0") + id.slice(8)
}
