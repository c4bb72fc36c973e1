/** Workspaces of accounts. */
import * as Data from "effect/Data"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { defaultWorkspaceId, KeyHash } from "../../values/ids/Ids.ts"
import { type NewWorkspace, SamplingRate, settingFields, Slug } from "./WorkspaceFields.ts"

/** The bundle of a customer, and whether it is suspended. */
export const CustomerState = Schema.Struct({
  /** A name in `Options.bundles`. */
  bundle: Schema.String,
  /** The key that was made with the customer; it may be deleted since. */
  key_hash: KeyHash,
  /** ISO 8601; null: it may make requests. */
  suspended_at: Schema.NullOr(Schema.String),
  /** The reason that its callers get; null: none. */
  suspended_reason: Schema.NullOr(Schema.String)
})
export type CustomerState = typeof CustomerState.Type

/** A stored workspace. Null fields take their values from `WorkspaceDefaults`. */
export const Workspace = Schema.Struct({
  id: Schema.String,
  name: Schema.NonEmptyString,
  slug: Slug,
  ...settingFields,
  io_logging_sampling_rate: Schema.NullOr(SamplingRate),
  /** Absent in workspaces of earlier versions. */
  keep_content: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  is_observability_broadcast_enabled: Schema.NullOr(Schema.Boolean),
  is_observability_io_logging_enabled: Schema.NullOr(Schema.Boolean),
  created_by: Schema.String,
  default_guardrail_id: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String,
  include_byok_in_budgets: Schema.Boolean,
  /** Absent: the workspace is not that of a customer. */
  customer: Schema.optionalKey(CustomerState)
})
export type Workspace = typeof Workspace.Type

interface WorkspaceOrigin {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  readonly by: string
}

export const make = (config: NewWorkspace, { at, by, id }: WorkspaceOrigin): Workspace => ({
  ...Record.map(settingFields, () => null),
  is_data_discount_logging_enabled: false,
  ...config,
  id,
  created_by: by,
  default_guardrail_id: toDefaultGuardrailId(id),
  created_at: at,
  updated_at: at,
  include_byok_in_budgets: false
})

/** The initial slug of the default workspace. */
export const defaultSlug = "default"

/** The workspace every account starts with. */
export const makeDefault = (at: string): Workspace =>
  make({ name: "Default", slug: defaultSlug }, { id: defaultWorkspaceId, at, by: "" })

/** Derived from the workspace; the guardrail itself is created by its first write. */
export const toDefaultGuardrailId = (id: string): string => {
  // Cached, because every request needs it.
  const inverted = 0xffff_ffff - Number.parseInt(id.slice(0, 8), 16)
  return inverted.toString(16).padStart(8, "0") + id.slice(8)
}

/** Another workspace of the account has this slug. */
export class SlugTaken extends Data.TaggedError("SlugTaken")<{ readonly slug: string }> {}

/** A member of a workspace. */
export const Member = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  user_id: Schema.String,
  role: Schema.Literals(["admin", "member"]),
  created_at: Schema.String
})
export type Member = typeof Member.Type
