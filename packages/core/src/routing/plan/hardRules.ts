/** The hard rules: what a candidate must satisfy to be tried at all. */
import { memoize } from "effect/Function"
import type { ByokExclusions } from "../restrictions/ByokExclusions.ts"
import type { Candidate } from "../Candidate.ts"
import type { Constraint } from "../restrictions/Constraint.ts"
import type { Requirements } from "../Requirements.ts"
import type { Preferences } from "../Preferences.ts"
import type { Exclusion, Reason } from "../Reason.ts"
import type { RequestedModel } from "../RequestedModel.ts"
import { makeByokRules } from "./rules/byokRules.ts"
import { makeDataCollectionRule, makeDataUseRules } from "./rules/dataRules.ts"
import { distillableRule } from "./rules/distillableRule.ts"
import { type HardRule, requestSource } from "./rules/HardRule.ts"
import { makeKnownPriceRules } from "./rules/knownPriceRules.ts"
import { makeContextRule, makeOutputRules } from "./rules/lengthRules.ts"
import { makeListRules } from "./rules/listRules.ts"
import { makeMaxPriceRules } from "./rules/maxPriceRules.ts"
import { makeModelRules } from "./rules/modelRules.ts"
import { makeOrderOnlyRules } from "./rules/orderOnlyRules.ts"
import { makeParametersRule } from "./rules/parametersRule.ts"
import { makePinRule } from "./rules/pinRule.ts"
import { makeQuantizationRules } from "./rules/quantizationRules.ts"
import { makeRegionRules } from "./rules/regionRules.ts"
import { makeTierRule } from "./rules/tierRule.ts"
import { makeAuthorZdrRules, makeZdrRule } from "./rules/zdrRules.ts"
import { nonEmpty } from "./nonEmpty.ts"

export interface HardRuleInput {
  readonly models: ReadonlyArray<RequestedModel>
  readonly preferences: Preferences
  readonly constraints: ReadonlyArray<Constraint>
  readonly requirements: Requirements
  /** The id of the only candidate that may serve. */
  readonly pin?: string
  /** Shared capacity that customers' own credentials exclude; absent: none. */
  readonly byokExclusions?: ByokExclusions
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
