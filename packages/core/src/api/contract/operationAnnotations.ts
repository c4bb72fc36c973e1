/** Annotations of operations. An endpoint's annotation takes precedence over its group's. */
import * as Context from "effect/Context"
import type { CallerRequirement } from "../../tenants/auth/permissions.ts"
import type { EnvelopeName } from "../errors/ErrorFacts.ts"

export const RequiredCaller: Context.Reference<CallerRequirement> =
  Context.Reference<CallerRequirement>("@signalbox/core/api/contract/RequiredCaller", {
    defaultValue: () => "any"
  })

export interface BodyRulesShape {
  /** JSON that replaces an empty body; without it, an empty body is invalid. */
  readonly whenEmpty?: string
  /** Maximum size in bytes, if less than the settings allow. */
  readonly maxBytes?: number
  /** Whether the content type must be `application/json`. Otherwise it may be absent or another JSON type. */
  readonly hasStrictContentType?: boolean
  /** Whether unknown fields are ignored, as the specification of the operation says; otherwise they are refused. */
  readonly ignoresUnknownFields?: boolean
  /** Fields of the public API that are accepted and have no effect. */
  readonly withoutEffect?: ReadonlyArray<string>
  /** Whether the body must be absent or an empty object. */
  readonly mustBeEmpty?: boolean
}

export const BodyRules: Context.Reference<BodyRulesShape> = Context.Reference(
  "@signalbox/core/api/contract/BodyRules",
  { defaultValue: () => ({}) }
)

/** Bodies of intern operations must declare JSON and have at most 1 MiB; settings cannot raise this limit. */
export const internBodyRules: BodyRulesShape = {
  hasStrictContentType: true,
  ignoresUnknownFields: true,
  maxBytes: 1_048_576
}

/** Whether the handler reads and parses the body itself. */
export const RawBody: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/api/contract/RawBody",
  { defaultValue: () => false }
)

/**
 * Whether the handler takes forms with files (`multipart/form-data`) besides JSON. A page of another site can send them
 * together with the user's cookies, which the check of origins refuses (`tenants/auth/crossOrigin.ts`).
 */
export const TakesForms: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/api/contract/TakesForms",
  { defaultValue: () => false }
)

/** Whether the response contains a secret, which caches must not store. */
export const NoStore: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/api/contract/NoStore",
  { defaultValue: () => false }
)

/** Whether the operation returns only the statuses that it declares. */
export const HasClosedStatuses: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/api/contract/HasClosedStatuses",
  { defaultValue: () => false }
)

/** The status of such an operation for an unavailable instance, if it does not declare 503. */
export const UnavailableStatus: Context.Reference<500 | 502> = Context.Reference<500 | 502>(
  "@signalbox/core/api/contract/UnavailableStatus",
  { defaultValue: () => 500 }
)

/** The envelope of an operation's errors. */
export const ErrorFormat: Context.Reference<EnvelopeName> = Context.Reference<EnvelopeName>(
  "@signalbox/core/api/contract/ErrorFormat",
  { defaultValue: () => "openrouter" }
)

/** Whether every problem with a key gets the message of a missing key. */
export const HidesKeyProblems: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/api/contract/HidesKeyProblems",
  { defaultValue: () => false }
)

/** Whether only callers that the host finds eligible reach the operation over HTTP, and not on regional hostnames. */
export const RequiresInternAccess: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/api/contract/RequiresInternAccess",
  { defaultValue: () => false }
)

/** What `settings.internRequestTimeoutMillis` limits: the whole operation, or only reading its input. */
export type TimeLimit = "never" | "operation" | "input"

export const TimeLimited: Context.Reference<TimeLimit> = Context.Reference<TimeLimit>(
  "@signalbox/core/api/contract/TimeLimited",
  { defaultValue: () => "never" }
)
