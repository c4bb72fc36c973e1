/** A customer of the host: a workspace with a bundle, and what it has used. */
import * as Data from "effect/Data"
import * as Schema from "effect/Schema"
import type { Interval } from "../../engine/ledger/Interval.ts"
import type { Spend } from "../../engine/ledger/SpendCounters.ts"
import type { Measures } from "../../engine/observability/rollups/Measures.ts"
import type { LimitUsage } from "../../routing/restrictions/LimitUsage.ts"
import type { Workspace } from "../../tenants/workspaces/Workspace.ts"
import { NewWorkspace } from "../../tenants/workspaces/WorkspaceFields.ts"
import { isMaxCharacters, isPlainText } from "../../values/validation/text.ts"

/** A customer, as the HTTP API shows it. */
export const Customer = Schema.Struct({
  /** The slug of its workspace, unique in the account. */
  slug: Schema.String,
  name: Schema.String,
  /** The name of its bundle in `Options.bundles`. */
  bundle: Schema.String,
  /** The workspace of its requests, budgets, keys, members and webhook. */
  workspace_id: Schema.String,
  /** The key that was created with it. */
  key_hash: Schema.String,
  /** ISO 8601; null: its requests are answered. */
  suspended_at: Schema.NullOr(Schema.String),
  /** The reason that its callers get while it is suspended. */
  suspended_reason: Schema.NullOr(Schema.String),
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String
})
export type Customer = typeof Customer.Type

const Bundle = Schema.NonEmptyString.check(isMaxCharacters(100))

/** The request body of a new customer. */
export const NewCustomer = Schema.Struct({
  slug: NewWorkspace.fields.slug,
  bundle: Bundle,
  /** Default: the slug. */
  name: Schema.optionalKey(NewWorkspace.fields.name),
  /** The URL of its webhook, which gets a signing secret; default: none. */
  callback_url: Schema.optionalKey(Schema.NonEmptyString.check(isMaxCharacters(2_048)))
})
export type NewCustomer = typeof NewCustomer.Type

/** Omitted fields stay unchanged. */
export const CustomerPatch = Schema.Struct({
  bundle: Schema.optionalKey(Bundle),
  name: Schema.optionalKey(NewWorkspace.fields.name)
})
export type CustomerPatch = typeof CustomerPatch.Type

/** Why a customer is suspended. */
export const Suspension = Schema.Struct({
  /** Its callers read it, up to 500 characters. Absent: the reason of an earlier suspension stays. */
  reason: Schema.optionalKey(
    Schema.NullOr(Schema.NonEmptyString.check(isMaxCharacters(500), isPlainText))
  )
})
export type Suspension = typeof Suspension.Type

/** Undefined for a workspace that is not that of a customer. */
export const toCustomer = ({
  created_at,
  customer,
  id,
  name,
  slug,
  updated_at
}: Workspace): Customer | undefined =>
  customer === undefined
    ? undefined
    : { slug, name, workspace_id: id, ...customer, created_at, updated_at }

/** There is another customer, or another workspace, with this slug. */
export class CustomerExists extends Data.TaggedError("CustomerExists")<{
  readonly slug: string
  /** How it differs from the requested one, such as `has the bundle pro; …`. */
  readonly difference: string
}> {}

/** The running period of an interval, or the one before. */
export const usagePeriods = ["current", "previous"] as const
type UsagePeriod = (typeof usagePeriods)[number]

/** What to report. */
export interface UsageQuery {
  readonly interval: Interval
  readonly period: UsagePeriod
}

/** What a customer has used in a period. */
export interface CustomerUsage {
  readonly customer: Customer
  readonly interval: Interval
  /** Milliseconds since the epoch; of a lifetime, when the customer was created. */
  readonly from: number
  /** Exclusive, in milliseconds since the epoch; Infinity for a lifetime. */
  readonly to: number
  readonly total: Measures
  /** The most important first; they add up to `total`. */
  readonly byModel: ReadonlyArray<{ readonly model: string; readonly measures: Measures }>
  /** The most important first, without the requests of no user. */
  readonly byUser: ReadonlyArray<{ readonly user: string; readonly measures: Measures }>
  /** False when small figures were added up with those of other customers, so that some are missing here. */
  readonly isComplete: boolean
  /** Exact in any case; absent for a period that is over. */
  readonly spend?: Spend
  /** The budgets that hold now; none for a period that is over. */
  readonly budgets: ReadonlyArray<LimitUsage>
}
