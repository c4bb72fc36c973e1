/** What the contract says of an operation beside its schemas; an endpoint's annotation wins over its group's. */
import * as Context from "effect/Context"

/**
 * Which callers an operation serves: `workspace` those whose key is of a workspace, `model` those that may run models, `member` the same, and management keys count as unknown,
 * `management` those that administer the account, `operator` those of them that belong to the host's own account.
 */
export type CallerRequirement = "any" | "workspace" | "model" | "member" | "management" | "operator"

export const RequiredCaller: Context.Reference<CallerRequirement> =
  Context.Reference<CallerRequirement>("@signalbox/core/http/contract/RequiredCaller", {
    defaultValue: () => "any"
  })

export interface BodyRulesShape {
  /** The JSON that an empty body stands for; without one, an empty body is invalid. */
  readonly whenEmpty?: string
  /** Bytes, where that is less than the settings allow. */
  readonly maxBytes?: number
  /** A body needs the content type `application/json`; otherwise it may be left out, and other JSON types count. */
  readonly hasStrictContentType?: boolean
  /** The body must be empty, or an empty object. */
  readonly mustBeEmpty?: boolean
}

export const BodyRules: Context.Reference<BodyRulesShape> = Context.Reference(
  "@signalbox/core/http/contract/BodyRules",
  { defaultValue: () => ({}) }
)

/** Bodies about interns: JSON that says so, of at most 1 MiB whatever the settings allow elsewhere. */
export const internBodyRules: BodyRulesShape = { hasStrictContentType: true, maxBytes: 1_048_576 }

/** The handler reads the body itself, with a parser of its own. */
export const RawBody: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/http/contract/RawBody",
  { defaultValue: () => false }
)

/** The response contains a secret, which no cache may keep. */
export const NoStore: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/http/contract/NoStore",
  { defaultValue: () => false }
)

/** The operation answers with the statuses it declares and no other. */
export const HasClosedStatuses: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/http/contract/HasClosedStatuses",
  { defaultValue: () => false }
)

/** What such an operation answers where it does not declare 503, and the instance is unavailable. */
export const UnavailableStatus: Context.Reference<500 | 502> = Context.Reference<500 | 502>(
  "@signalbox/core/http/contract/UnavailableStatus",
  { defaultValue: () => 500 }
)

/** Which envelope errors come in. */
export type ErrorFormatName = "openrouter" | "intern" | "internChat"

export const ErrorFormat: Context.Reference<ErrorFormatName> = Context.Reference<ErrorFormatName>(
  "@signalbox/core/http/contract/ErrorFormat",
  { defaultValue: () => "openrouter" }
)

/** Whatever is wrong with a key, the message is that of a missing one. */
export const HidesKeyProblems: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/http/contract/HidesKeyProblems",
  { defaultValue: () => false }
)

/** Only hosts' eligible callers reach the operation over HTTP, and not on regional hostnames. */
export const RequiresInternAccess: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/http/contract/RequiresInternAccess",
  { defaultValue: () => false }
)

/** What `Settings.internRequestTimeoutMillis` bounds: the whole operation, or the reading of its input. */
export type TimeLimit = "never" | "operation" | "input"

export const TimeLimited: Context.Reference<TimeLimit> = Context.Reference<TimeLimit>(
  "@signalbox/core/http/contract/TimeLimited",
  { defaultValue: () => "never" }
)
