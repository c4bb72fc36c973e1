/** The hard rules: what a candidate must satisfy to be tried at all. */
import { memoize } from "effect/Function"
import type { ByokExclusions, Constraint } from "../restrictions/Constraint.ts"
import type { Candidate } from "../Candidate.ts"
import type { RequestedModel, Requirements } from "../Requirements.ts"
import { nonEmpty, none, type Preferences } from "../Preferences.ts"
import type { Exclusion, Reason } from "../Reason.ts"
import {
  findContextViolation,
  makeContextRule,
  makeDialectRule,
  makeMandatoryRule,
  makeOutputRule,
  makeParametersRule,
  makePrefillRule,
  makeQuantizationRules,
  makeSpeechRules
} from "./rules/capabilityRules.ts"
import {
  makeAuthorZdrRules,
  makeDataCollectionRule,
  makeDataUseRules,
  makeRegionRules,
  makeZdrRule
} from "./rules/dataRules.ts"
import { type HardRule, requestSource } from "./rules/HardRule.ts"
import { distillableRule, makeModelChoiceRules, makeModelRules } from "./rules/modelRules.ts"
import { makeConditionRules, makeKnownPriceRules, makeMaxPriceRules } from "./rules/priceRules.ts"
import {
  makeByokRules,
  makeListRules,
  makeOrderOnlyRules,
  makePinRule
} from "./rules/providerRules.ts"
import { makeServerToolRules, makeToolModelRules, searchesUnasked } from "./rules/toolModelRules.ts"
import { makeRouterRules } from "./rules/routerRules.ts"
import { hasTier, makeTierRule } from "./rules/tierRule.ts"

export interface HardRuleInput {
  readonly models: ReadonlyArray<RequestedModel>
  /** The candidates that the rules are for; absent: any. */
  readonly candidates?: ReadonlyArray<Candidate>
  readonly preferences: Preferences
  readonly constraints: ReadonlyArray<Constraint>
  readonly requirements: Requirements
  /** The id of the only candidate that may serve. */
  readonly pin?: string | undefined
  /** Shared capacity that customers' own credentials exclude; absent: none. */
  readonly byokExclusions?: ByokExclusions | undefined
}

/** The rules that apply to this request; rules of every request only if one of `candidates` violates them. */
export const buildHardRules = (input: HardRuleInput): ReadonlyArray<HardRule> => [
  ...input.constraints.flatMap(buildConstraintRules),
  ...buildRequestRules(input)
]

/** The rules of the request itself, without those of constraints. */
export const buildRequestRules = (input: HardRuleInput): ReadonlyArray<HardRule> => {
  const { byokExclusions, candidates, constraints, requirements, models, pin, preferences } = input
  const rules: Array<HardRule> = []
  if (preferences !== none) {
    const [only, ignore] = [nonEmpty(preferences.only), nonEmpty(preferences.ignore)]
    rules.push(...makeListRules(requestSource, only, ignore), ...makeOrderOnlyRules(preferences))
  }
  if (candidates === undefined || candidates.some(hasTier)) {
    rules.push(makeTierRule(models, preferences, constraints, requirements.tier))
  }
  if (preferences.zdr === true) rules.push(makeZdrRule(requestSource))
  if (preferences.data_collection === "deny") rules.push(makeDataCollectionRule(requestSource))
  if (preferences.enforce_distillable_text === true) rules.push(distillableRule)
  if (preferences !== none) {
    const levels = nonEmpty(preferences.quantizations)
    rules.push(...makeQuantizationRules(levels), ...makeMaxPriceRules(preferences))
  }
  if (candidates === undefined || isContextExceeded(candidates, requirements)) {
    rules.push(makeContextRule(requirements))
  }
  if (requirements.outputTokens !== 0) rules.push(makeOutputRule(requirements))
  if (models.some(({ router }) => router !== undefined)) {
    rules.push(...makeRouterRules(models, requirements))
  }
  if (requirements.dialect !== undefined) rules.push(makeDialectRule(requirements.dialect))
  if (requirements.speech !== undefined) rules.push(...makeSpeechRules(requirements.speech))
  if (requirements.prefillAt !== undefined) rules.push(makePrefillRule(requirements.prefillAt))
  const { modelChoice } = requirements
  if (modelChoice !== undefined) {
    rules.push(...constraints.flatMap((each) => makeModelChoiceRules(each, modelChoice)))
  }
  const { serverTools, toolModels } = requirements
  if (serverTools !== undefined || candidates?.some(searchesUnasked) === true) {
    rules.push(...makeServerToolRules(requirements, constraints))
  }
  if (toolModels !== undefined) {
    rules.push(...constraints.flatMap((each) => makeToolModelRules(each, toolModels)))
  }
  if (preferences.require_parameters === true) rules.push(makeParametersRule(requirements))
  if (requirements.mandatoryParameters !== undefined) {
    rules.push(makeMandatoryRule(requirements.mandatoryParameters))
  }
  if (requirements.conditions !== undefined) {
    rules.push(...makeConditionRules(requirements, constraints))
  }
  if (pin !== undefined) rules.push(makePinRule(pin))
  if (byokExclusions !== undefined) rules.push(...makeByokRules(byokExclusions))
  return rules
}

const isContextExceeded = (
  candidates: ReadonlyArray<Candidate>,
  requirements: Requirements
): boolean => {
  for (const candidate of candidates) {
    if (findContextViolation(candidate, requirements) !== undefined) return true
  }
  return false
}

/**
 * Why constraints exclude a candidate. Memoized, because requests of one caller have constraints and candidates in
 * common, and both are immutable.
 */
export const findRestrictions = memoize((constraints: ReadonlyArray<Constraint>) => {
  const rules = constraints.flatMap(buildConstraintRules)
  return memoize((candidate: Candidate) => findRejectionReasons(candidate, rules))
})

/** Memoized, because callers have guardrails in common. */
export const buildConstraintRules = memoize((constraint: Constraint): ReadonlyArray<HardRule> => [
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
