/** What guardrails do about one kind of content. */
import type { Detector } from "./Detector.ts"

export type FilterAction = "block" | "redact" | "flag"

/** What one guardrail does about one kind of content. */
export interface FilterRule {
  readonly action: FilterAction
  /** The id of the guardrail. */
  readonly guardrail: string
  /** What stands in place of the content, such as `[EMAIL]`. */
  readonly placeholder: string
  /** What errors and reports call it. */
  readonly label: string
  /** Whether only texts of users are looked at. */
  readonly isUserOnly: boolean
  /** Whether the caller gets the content back where the answer repeats the placeholder. */
  readonly isRestored: boolean
}

/** One kind of content, and what guardrails do about it; one of them at least. */
export interface ContentFilter {
  /** The slug of a detector, `custom`, or the name of a check of the host. */
  readonly name: string
  readonly detect: Detector
  /** Where from `begin` on a match may begin that more text completes; absent: as for the detector of that name. */
  readonly findHold?: (text: string, begin: number) => number
  readonly rules: ReadonlyArray<FilterRule>
}
