/** The hard rules: what a candidate must satisfy to be tried at all. Sources: semantics A2, A3. */
import { memoize } from "effect/Function"
import type { Barred } from "./Barred.ts"
import type { Candidate } from "./Candidate.ts"
import type { Constraint } from "./Constraint.ts"
import type { Demand } from "./Demand.ts"
import type { Preferences } from "./Preferences.ts"
import type { Exclusion, Reason } from "./Reason.ts"
import type { RequestedModel } from "./RequestedModel.ts"
import { barredRules } from "./rules/barredRules.ts"
import { dataCollectionRule, sparingRules } from "./rules/dataRules.ts"
import { distillableRule } from "./rules/distillableRule.ts"
import { type HardRule, request } from "./rules/HardRule.ts"
import { knownPriceRules } from "./rules/knownPriceRules.ts"
import { contextRule, outputRules } from "./rules/lengthRules.ts"
import { listRules } from "./rules/listRules.ts"
import { maxPriceRules } from "./rules/maxPriceRules.ts"
import { modelRules } from "./rules/modelRules.ts"
import { onlyListedRules } from "./rules/onlyListedRules.ts"
import { parametersRule } from "./rules/parametersRule.ts"
import { pinRule } from "./rules/pinRule.ts"
import { quantizationRules } from "./rules/quantizationRules.ts"
import { regionRules } from "./rules/regionRules.ts"
import { tierRule } from "./rules/tierRule.ts"
import { zdrOfRules, zdrRule } from "./rules/zdrRules.ts"
import { stated } from "./stated.ts"

export interface Restrictions {
  readonly models: ReadonlyArray<RequestedModel>
  readonly preferences: Preferences
  readonly constraints: ReadonlyArray<Constraint>
  readonly demand: Demand
  /** The id of the only candidate that may serve. */
  readonly pin?: string
  /** Shared capacity that customers' own credentials bar; absent: none. */
  readonly barred?: Barred
}

/** The rules this request is under; rules nobody asked for are not there at all. */
export const hardRules = ({
  barred,
  constraints,
  demand,
  models,
  pin,
  preferences
}: Restrictions): ReadonlyArray<HardRule> => [
  ...constraints.flatMap(constraintRules),
  ...listRules(request, stated(preferences.only), stated(preferences.ignore)),
  ...onlyListedRules(preferences),
  tierRule(models, preferences, constraints, demand.tier),
  ...(preferences.zdr === true ? [zdrRule(request)] : []),
  ...(preferences.data_collection === "deny" ? [dataCollectionRule(request)] : []),
  ...(preferences.enforce_distillable_text === true ? [distillableRule] : []),
  ...quantizationRules(stated(preferences.quantizations)),
  ...maxPriceRules(preferences),
  contextRule(demand),
  ...outputRules(demand),
  ...(preferences.require_parameters === true ? [parametersRule(demand)] : []),
  ...(pin === undefined ? [] : [pinRule(pin)]),
  ...(barred === undefined ? [] : barredRules(barred))
]

/** Asked for every request, of constraints that never change. */
const constraintRules = memoize((constraint: Constraint): ReadonlyArray<HardRule> => [
  ...listRules(constraint.source, constraint.only, constraint.ignore),
  ...modelRules(constraint),
  ...regionRules(constraint),
  ...(constraint.zdr === true ? [zdrRule(constraint.source)] : []),
  ...zdrOfRules(constraint),
  ...(constraint.denyDataCollection === true ? [dataCollectionRule(constraint.source)] : []),
  ...sparingRules(constraint),
  ...knownPriceRules(constraint)
])

/** Every reason why a candidate fails; none means it is eligible. */
export const rejections = (
  candidate: Candidate,
  rules: ReadonlyArray<HardRule>
): ReadonlyArray<Reason<Exclusion>> => {
  let reasons: Array<Reason<Exclusion>> | undefined
  for (const { fails, rule, source, wanted } of rules) {
    const found = fails(candidate)
    if (found !== undefined) (reasons ??= []).push({ rule, source, wanted, found })
  }
  return reasons ?? noReasons
}

const noReasons: ReadonlyArray<Reason<Exclusion>> = []
