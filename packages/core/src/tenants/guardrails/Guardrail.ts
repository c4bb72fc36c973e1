/** Guardrails: restrictions on what requests may use and spend. */
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { splitVariant } from "../../engine/catalog/model/Variant.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import type { WorkspaceId } from "../../values/ids/Ids.ts"
import type { ResourceOrigin } from "../workspaces/makeOwnedResource.ts"
import { toDefaultGuardrailId } from "../workspaces/Workspace.ts"
import { filterFields, labelBuiltins } from "./ContentFilter.ts"
import { Description, isMaxCharacters, isPlainText } from "../../values/validation/text.ts"

const Flag = Schema.NullOr(Schema.Boolean)
const Names = Schema.Array(Schema.NonEmptyString.check(isMaxCharacters(200))).check(
  Schema.isMaxLength(1_000)
)
const isNotEmpty = Schema.makeFilter<ReadonlyArray<unknown>>((list) =>
  list.length > 0 ? undefined : "must not be empty; null allows all"
)

/** Aliases and dynamic suffixes are rejected: an alias may mean another model later, and a suffix names none. */
const Models = Names.check(
  Schema.makeFilter((slugs) => {
    const at = slugs.findIndex((slug) => slug.startsWith("~") || splitVariant(slug) !== undefined)
    return at < 0
      ? undefined
      : { path: [at], issue: "must be the slug of a model, without alias or dynamic suffix" }
  })
)

export const dataRegions = ["global", "europe", "us"] as const

/** The fields that callers may set; null: no restriction. */
const restrictionFields = {
  description: Description,
  /** Slugs or canonical slugs; a base slug includes its variants. */
  allowed_models: Schema.NullOr(Models.check(isNotEmpty)),
  /** Provider slugs, as `only` of a request takes them. */
  allowed_providers: Schema.NullOr(Names.check(isNotEmpty)),
  ignored_models: Schema.NullOr(Models),
  ignored_providers: Schema.NullOr(Names),
  /** Where endpoints may run; `global` is anywhere. */
  allowed_data_regions: Schema.NullOr(
    Schema.Array(Schema.Literals(dataRegions)).check(isNotEmpty, Schema.isMaxLength(100))
  ),
  /** Requires zero data retention for models whose author has no flag of its own. */
  enforce_zdr: Flag,
  enforce_zdr_anthropic: Flag,
  enforce_zdr_google: Flag,
  enforce_zdr_openai: Flag,
  enforce_zdr_xai: Flag,
  /** For models of all other authors. */
  enforce_zdr_other: Flag,
  /** False excludes free endpoints that publish prompts. */
  enable_free_model_publication: Flag,
  /** False excludes free endpoints that train on prompts. */
  enable_free_model_training: Flag,
  enable_paid_model_training: Flag,
  /** USD that each key and each member may spend in an interval. */
  limit_usd: Schema.NullOr(Schema.Finite.check(Schema.isGreaterThan(0))),
  /** Null: the limit never resets. */
  reset_interval: Schema.NullOr(Schema.Literals(["daily", "weekly", "monthly"])),
  /** Whether spending on customers' own credentials counts too. */
  include_byok_in_budgets: Schema.Boolean
}

/**
 * Whether prompts and answers of its callers are kept: true keeps them where their workspace does not say so, false forbids
 * it. Absent or null: the workspace decides.
 */
const contentField = { keep_content: Schema.optionalKey(Flag) }

/** Later fields, which stored guardrails may lack. */
const laterFields = {
  /** Whether `limit_usd` only warns, and refuses nothing; absent: false. */
  soft_limit: Schema.optionalKey(Schema.Boolean),
  /** Whether no answer is stored in the cache of responses, or comes from there; absent: false. */
  enforce_no_store: Schema.optionalKey(Schema.Boolean)
}

const Name = Schema.NonEmptyString.check(isMaxCharacters(200))

/** Restrictions of a workspace, a key or a member. */
export const Guardrail = Schema.Struct({
  id: Schema.String,
  name: Name,
  workspace_id: Schema.String,
  ...restrictionFields,
  ...laterFields,
  ...contentField,
  ...Schema.Struct(filterFields).mapFields(Struct.map(Schema.optionalKey)).fields,
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String
})
export type Guardrail = typeof Guardrail.Type

const editableFields = {
  ...restrictionFields,
  ...filterFields,
  soft_limit: Schema.Boolean,
  keep_content: Flag,
  enforce_no_store: Schema.Boolean
}

/** Stored names may be older than this check. */
const NewName = Name.check(isPlainText)

/** The request body of a new guardrail. */
export const NewGuardrail = Schema.Struct({
  name: NewName,
  ...Schema.Struct({ ...editableFields, workspace_id: Schema.NonEmptyString }).mapFields(
    Struct.map(Schema.optionalKey)
  ).fields
})
export type NewGuardrail = typeof NewGuardrail.Type

/** Omitted fields stay unchanged. */
export const GuardrailPatch = Schema.Struct({ name: NewName, ...editableFields }).mapFields(
  Struct.map(Schema.optionalKey)
)
export type GuardrailPatch = typeof GuardrailPatch.Type

/** A guardrail without restrictions. */
export const make = (name: string, { at, id, workspace }: ResourceOrigin): Guardrail => ({
  ...Record.map(restrictionFields, () => null),
  include_byok_in_budgets: false,
  id,
  name,
  workspace_id: workspace,
  created_at: at,
  updated_at: at
})

/** The guardrail that applies to every request of a workspace. */
export const makeDefault = (workspace: WorkspaceId, at: string): Guardrail =>
  make(`Workspace ${workspace} Default`, { id: toDefaultGuardrailId(workspace), workspace, at })

const emptyAuthorFlags = {
  enforce_zdr_anthropic: null,
  enforce_zdr_google: null,
  enforce_zdr_openai: null,
  enforce_zdr_xai: null,
  enforce_zdr_other: null
}

/** Applies a change. `enforce_zdr` covers every author without a flag of its own. */
export const applyPatch = (before: Guardrail, patch: GuardrailPatch, at: string): Guardrail => {
  const after = {
    ...before,
    ...(patch.enforce_zdr === undefined ? undefined : emptyAuthorFlags),
    ...patch,
    ...(patch.content_filter_builtins === undefined
      ? undefined
      : { content_filter_builtins: labelBuiltins(patch.content_filter_builtins) })
  }
  return setUpdatedAt(
    before,
    after.limit_usd === null ? { ...after, reset_interval: null } : after,
    at
  )
}
