/** A workspace of an account, as the wire shows it. Sources: interface specification, Workspace; wire. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Struct from "effect/Struct"
import { defaultWorkspaceId, hasIdForm } from "../values/WorkspaceId.ts"
import { isMaxCharacters } from "../values/characters.ts"

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
    hasIdForm(slug) ? "must not have the form of a UUID, which is that of an id" : undefined
  )
)

export const sorts = ["price", "throughput", "latency", "exacto"] as const

/** What a caller may say of one. */
const stated = {
  description: Description,
  /** The model of images where a request names none. Stored; nothing here makes images yet. */
  default_image_model: DefaultModel,
  /** What an intern runs that names no model. */
  default_text_model: DefaultModel,
  /** The `sort` of requests that state none. */
  default_provider_sort: Schema.NullOr(Schema.Literals(sorts)),
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
  ...stated,
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
const unlessEmpty = <S extends Schema.Codec<string | null>>(schema: S) =>
  Schema.Union([schema, Schema.Literal("")]).pipe(
    Schema.decodeTo(
      schema,
      SchemaTransformation.transform<S["Encoded"], string | null>({
        decode: (said) => (said === "" ? null : said),
        encode: (kept) => kept
      })
    )
  )

const changeable = {
  ...stated,
  description: unlessEmpty(stated.description),
  default_image_model: unlessEmpty(stated.default_image_model),
  default_text_model: unlessEmpty(stated.default_text_model),
  default_provider_sort: unlessEmpty(stated.default_provider_sort)
}

const named = { name: Schema.NonEmptyString.check(isMaxCharacters(200)), slug: Slug }

/** A workspace as its creator asks for it. */
export const NewWorkspace = Schema.Struct({
  ...named,
  ...Schema.Struct(changeable).mapFields(Struct.map(Schema.optionalKey)).fields
})
export type NewWorkspace = typeof NewWorkspace.Type

/** What is left out stays as it is. */
export const WorkspacePatch = Schema.Struct({ ...named, ...changeable }).mapFields(
  Struct.map(Schema.optionalKey)
)
export type WorkspacePatch = typeof WorkspacePatch.Type

interface Made {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  readonly by: string
}

export const make = (config: NewWorkspace, { at, by, id }: Made): Workspace => ({
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
  default_guardrail_id: defaultGuardrailOf(id),
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
export const defaultGuardrailOf = (id: string): string => {
  // Asked for every request.
  const turned = 0xffff_ffff - Number.parseInt(id.slice(0, 8), 16)
  return turned.toString(16).padStart(8, "0") + id.slice(8)
}
