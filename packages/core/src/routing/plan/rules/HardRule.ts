/** A rule that a candidate must satisfy to be tried at all. */
import type { Candidate } from "../../Candidate.ts"
import { shortenList } from "../../../values/validation/text.ts"
import type { Exclusion } from "../../Reason.ts"

/** One active rule. */
export interface HardRule {
  readonly rule: Exclusion
  readonly source: string
  readonly wanted: string
  /** The value found instead; undefined when the candidate passes. */
  readonly findViolation: (candidate: Candidate) => string | undefined
}

/** The source of rules that the request sets. */
export const requestSource = "request"

type ListRule = Pick<HardRule, "rule" | "source"> & {
  readonly names: ReadonlyArray<string>
  readonly isListed: (candidate: Candidate) => boolean
  /** What identifies a candidate that violates the rule. */
  readonly describe: (candidate: Candidate) => string
}

export const makeAllowRule = ({ describe, isListed, names, ...rest }: ListRule): HardRule => ({
  ...rest,
  wanted: `one of ${shortenList(names)}`,
  findViolation: (candidate) => (isListed(candidate) ? undefined : describe(candidate))
})

export const makeIgnoreRule = ({ describe, isListed, names, ...rest }: ListRule): HardRule => ({
  ...rest,
  wanted: `none of ${shortenList(names)}`,
  findViolation: (candidate) => (isListed(candidate) ? describe(candidate) : undefined)
})
