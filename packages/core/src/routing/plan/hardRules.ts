/** The hard rules: what a candidate must satisfy to be tried at all. */
import { memoize } from "effect/Function"
import type { ByokExclusions } from "../restrictions/ByokExclusions.ts"
import type { Candidate } from "../Candidate.ts"
import type { Constraint } from "../restrictions/Constraint.ts"
import type { RequestedModel, Requirements } from "../Requirements.ts"
import { nonEmpty, type Preferences } from "../Preferences.ts"
import type { Exclusion, Reason } from "../Reason.ts"
import {
  makeContextRule,
  makeOutputRules,
  makeParametersRule,
  makeQuantizationRules
} from "./rules/capabilityRules.ts"
import {
  makeAuthorZdrRules,
  makeDataCollectionRule,
  makeDataUseRules,
  makeRegionRules,
  makeZdrRule
} from "./rules/dataRules.ts"
import { type HardRule, requestSource } from "./rules/HardRule.ts"
import { distillableRule, makeModelRules } from "./rules/modelRules.ts"
import { makeKnownPriceRules, makeMaxPriceRules } from "./rules/priceRules.ts"
import {
  makeByokRules,
  makeListRules,
  makeOrderOnlyRules,
  makePinRule
} from "./rules/providerRules.ts"
import { makeTierRule } from "./rules/tierRule.ts"

export interface HardRuleInput {
  readonly models: ReadonlyArray<RequestedModel>
  readonly preferences: Preferences
  readonly constraints: ReadonlyArray<Constraint>
  readonly requirements: Requirements
  /** The id of the only candidate that may serve. */
  readonly pin?: string | undefined
  /** Shared capacity that customers' own credentials exclude; absent: none. */
  readonly byokExclusions?: ByokExclusions | undefined
}

/** The rules that apply to this request. */
export const buildHardRules = ({
  byokExclusions,
  constraints,
  requirements,
  models,
  pin,
  preferences
}: HardRuleInput): ReadonlyArray<HardRule> => [
  ...constraints.flatMap(buildConstraintRules),
  ...makeListRules(requestSource, nonEmpty(preferences.only), nonEmpty(preferences.ignore)),
  ...makeOrderOnlyRules(preferences),
  makeTierRule(models, preferences, constraints, requirements.tier),
  ...(preferences.zdr === true ? [makeZdrRule(requestSource)] : []),
  ...(preferences.data_collection === "deny" ? [makeDataCollectionRule(requestSource)] : []),
  ...(preferences.enforce_distillable_text === true ? [distillableRule] : []),
  ...makeQuantizationRules(nonEmpty(preferences.quantizations)),
  ...makeMaxPriceRules(preferences),
  makeContextRule(requirements),
  ...makeOutputRules(requirements),
  ...(preferences.require_parameters === true ? [makeParametersRule(requirements)] : []),
  ...(pin === undefined ? [] : [makePinRule(pin)]),
  ...(byokExclusions === undefined ? [] : makeByokRules(byokExclusions))
]

/** Memoized: it runs for every request, and constraints are immutable. */
const buildConstraintRules = memoize((constraint: Constraint): ReadonlyArray<HardRule> => [
  ...makeListRules(constraint.source, constraint.only, constraint.ignore),
  ...makeModelRules(constraint),
  ...makeRegionRules(constraint),
  ...(constraint.zdr === true ? [makeZdrRule(constraint.source)] : []),
  ...makeAuthorZdrRules(constraint),
  ...(constraint.denyDataCollection === true ? [makeDataCollectionRule(constraint.source)] : []),
  ...makeDataUseRules(constraint),
  ...makeKnownPriceRules(constraint)
])

/** Every reason why a candidate fails; none means it is eligible. */
export const findRejectionReasons = (
  candidate: Candidate,
  rules: ReadonlyArray<HardRule>
): ReadonlyArray<Reason<Exclusion>> => {
  let reasons: Array<Reason<Exclusion>> | undefined
  for (const { findViolation, rule, source, wanted } of rules) {
    const found = findViolation(candidate)
    if (found !== undefined) (reasons ??= []).push({ rule, source, wanted, found })
  }
  return reasons ?? noReasons
}

const noReasons: ReadonlyArray<Reason<Exclusion>> = []
