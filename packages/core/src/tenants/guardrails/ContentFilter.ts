/** The content filters of guardrails: what to look for in requests and answers, and what to do about it. */
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "../../values/validation/text.ts"

/** The strongest of several wins: `block` before `redact` before `flag`. */
const Action = Schema.Literals(["redact", "block", "flag"])

/** Fields of Signalbox, which the reference does not have. */
const ownFields = {
  /** What is looked at; default: prompts. */
  scope: Schema.optionalKey(Schema.Literals(["prompts", "answers", "both"])),
  /** With `redact`: whether the caller gets the content back where an answer repeats its placeholder; default: no. */
  restore: Schema.optionalKey(Schema.Boolean)
}

const Label = Schema.String.check(isMaxCharacters(100))

/** The placeholders of the detectors, by their slugs. Those of the last two need a check of the host. */
export const builtinLabels = {
  email: "[EMAIL]",
  phone: "[PHONE]",
  ssn: "[SSN]",
  "credit-card": "[CREDIT_CARD]",
  "ip-address": "[IP_ADDRESS]",
  secrets: "[SECRET]",
  iban: "[IBAN]",
  "national-id": "[NATIONAL_ID]",
  "regex-prompt-injection": "[PROMPT_INJECTION]",
  "person-name": "[PERSON_NAME]",
  address: "[ADDRESS]"
} as const

type BuiltinSlug = keyof typeof builtinLabels

/** Finds what a detector of Signalbox, or a check of the host, knows. */
export const BuiltinFilter = Schema.Struct({
  slug: Schema.Literals(Object.keys(builtinLabels) as ReadonlyArray<BuiltinSlug>),
  action: Action,
  /** The placeholder. The system sets it; one in a request has no effect. */
  label: Schema.optionalKey(Label),
  /** For prompt injection: only what users say, or all messages; default: `user_only`. */
  scan_scope: Schema.optionalKey(Schema.Literals(["user_only", "all_messages"])),
  ...ownFields
})
export type BuiltinFilter = typeof BuiltinFilter.Type

/** Finds what matches a JavaScript regular expression without look-around, back references and nested quantifiers. */
export const PatternFilter = Schema.Struct({
  pattern: Schema.NonEmptyString.check(isMaxCharacters(100_000)),
  action: Action,
  /** Stands in place of what was found, in brackets; null: `[REDACTED]`. */
  label: Schema.optionalKey(Schema.NullOr(Label)),
  ...ownFields
})
export type PatternFilter = typeof PatternFilter.Type

/** Asks a check that the host has under `Options.contentChecks`. */
export const CheckFilter = Schema.Struct({
  /** The name of the check. */
  check: Schema.NonEmptyString.check(isMaxCharacters(100)),
  action: Action,
  label: Schema.optionalKey(Schema.NullOr(Label)),
  ...ownFields
})
export type CheckFilter = typeof CheckFilter.Type

const isMaxFilters = Schema.isMaxLength(100)

/** Null: none. Guardrails of earlier versions have no such fields. */
export const filterFields = {
  content_filters: Schema.NullOr(Schema.Array(PatternFilter).check(isMaxFilters)),
  content_filter_builtins: Schema.NullOr(Schema.Array(BuiltinFilter).check(isMaxFilters)),
  content_filter_checks: Schema.NullOr(Schema.Array(CheckFilter).check(isMaxFilters))
}

/** What of a guardrail filters content. */
export type ContentFilters = {
  readonly [Name in keyof typeof filterFields]?: (typeof filterFields)[Name]["Type"]
}

/** Whether it looks at content at all. */
export const hasFilters = (filters: ContentFilters): boolean =>
  hasItems(filters.content_filters) ||
  hasItems(filters.content_filter_builtins) ||
  hasItems(filters.content_filter_checks)

const hasItems = (list: ReadonlyArray<unknown> | null | undefined): boolean =>
  list !== null && list !== undefined && list.length > 0

/** With the labels of the system. */
export const labelBuiltins = (
  builtins: ReadonlyArray<BuiltinFilter> | null
): ReadonlyArray<BuiltinFilter> | null =>
  builtins === null ? null : builtins.map((each) => ({ ...each, label: builtinLabels[each.slug] }))
