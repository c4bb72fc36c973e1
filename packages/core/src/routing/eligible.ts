/** The hard rules: what a candidate must satisfy to be tried at all. Source: semantics A2. */
import { isKnown } from "../catalog/Price.ts"
import { covers } from "../catalog/Quantization.ts"
import type { Candidate } from "./Candidate.ts"
import type { Constraint } from "./Constraint.ts"
import type { Demand } from "./Demand.ts"
import { matchesSlug } from "./matchesSlug.ts"
import type { Preferences } from "./Preferences.ts"
import type { Reason, Rule } from "./Reason.ts"

/** One active rule: undefined when the candidate passes, else what was found. */
export interface HardRule {
  readonly rule: Rule
  readonly source: string
  readonly wanted: string
  readonly fails: (candidate: Candidate) => string | undefined
}

/** The rules this request is under; rules nobody asked for are not there at all. */
export const hardRules = (
  preferences: Preferences,
  constraints: ReadonlyArray<Constraint>,
  demand: Demand
): ReadonlyArray<HardRule> => [
  ...constraints.flatMap((constraint) => [
    ...listRules(constraint.source, constraint.only, constraint.ignore),
    ...(constraint.zdr === true ? [zdrRule(constraint.source)] : []),
    ...(constraint.denyDataCollection === true ? [dataCollectionRule(constraint.source)] : []),
    ...(constraint.budgeted === true ? [knownPriceRule(constraint.source)] : [])
  ]),
  ...listRules(request, stated(preferences.only), stated(preferences.ignore)),
  ...(preferences.zdr === true ? [zdrRule(request)] : []),
  ...(preferences.data_collection === "deny" ? [dataCollectionRule(request)] : []),
  ...(preferences.enforce_distillable_text === true ? [distillableRule] : []),
  ...quantizationRules(stated(preferences.quantizations)),
  ...maxPriceRules(preferences),
  contextRule(demand),
  ...(preferences.require_parameters === true ? [parametersRule(demand)] : [])
]

/** Every reason why a candidate fails; none means it is eligible. */
export const rejections = (
  candidate: Candidate,
  rules: ReadonlyArray<HardRule>
): ReadonlyArray<Reason> => {
  let reasons: Array<Reason> | undefined
  for (const { fails, rule, source, wanted } of rules) {
    const found = fails(candidate)
    if (found !== undefined) (reasons ??= []).push({ rule, source, wanted, found })
  }
  return reasons ?? noReasons
}

const request = "request"

/** Clients send empty lists for "no restriction". */
const stated = <A>(list: ReadonlyArray<A> | null | undefined): ReadonlyArray<A> | undefined =>
  list == null || list.length === 0 ? undefined : list

const noReasons: ReadonlyArray<Reason> = []

const listRules = (
  source: string,
  only: ReadonlyArray<string> | undefined,
  ignore: ReadonlyArray<string> | undefined
): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (only !== undefined) {
    rules.push({
      rule: "only",
      source,
      wanted: `one of ${only.join(", ")}`,
      fails: (candidate) =>
        only.some((slug) => matchesSlug(candidate, slug)) ? undefined : candidate.endpoint.tag
    })
  }
  if (ignore !== undefined && ignore.length > 0) {
    rules.push({
      rule: "ignore",
      source,
      wanted: `none of ${ignore.join(", ")}`,
      fails: (candidate) =>
        ignore.some((slug) => matchesSlug(candidate, slug)) ? candidate.endpoint.tag : undefined
    })
  }
  return rules
}

const zdrRule = (source: string): HardRule => ({
  rule: "zdr",
  source,
  wanted: "zero data retention",
  fails: ({ endpoint }) => (endpoint.zeroRetention ? undefined : "retains data")
})

const dataCollectionRule = (source: string): HardRule => ({
  rule: "data_collection",
  source,
  wanted: "no data collection",
  fails: ({ endpoint }) => (endpoint.collectsData ? "collects data" : undefined)
})

const knownPriceRule = (source: string): HardRule => ({
  rule: "unknown_price",
  source,
  wanted: "a known price, because spending is limited",
  fails: ({ endpoint }) => (isKnown(endpoint.price) ? undefined : "unknown price")
})

const distillableRule: HardRule = {
  rule: "distillable",
  source: request,
  wanted: "a model whose author allows distillation",
  fails: ({ distillable }) => (distillable ? undefined : "not distillable")
}

const quantizationRules = (requested: ReadonlyArray<string> | undefined): ReadonlyArray<HardRule> =>
  requested === undefined
    ? []
    : [
        {
          rule: "quantization",
          source: request,
          wanted: `one of ${requested.join(", ")}`,
          fails: ({ endpoint: { quantization } }) =>
            requested.some((level) => covers(level, quantization)) ? undefined : quantization
        }
      ]

const priceParts = [
  { part: "prompt", perMillion: true, unit: "USD per million prompt tokens" },
  { part: "completion", perMillion: true, unit: "USD per million completion tokens" },
  { part: "image", perMillion: false, unit: "USD per image" },
  { part: "audio", perMillion: false, unit: "USD per audio unit" },
  { part: "request", perMillion: false, unit: "USD per request" }
] as const

const maxPriceRules = ({ max_price }: Preferences): ReadonlyArray<HardRule> =>
  max_price === undefined
    ? []
    : priceParts.flatMap(({ part, perMillion, unit }) => {
        const stated = max_price[part]
        if (stated === undefined) return []
        const cap = Number(stated)
        return [
          {
            rule: "max_price",
            source: request,
            wanted: `<= ${cap} ${unit}`,
            fails: ({ endpoint }) => {
              const price = endpoint.price.approximate[part]
              if (Number.isNaN(price)) return "unknown price"
              // Compared in the unit the cap is stated in; 1e-9 of slack absorbs the conversion.
              const found = perMillion ? price * 1e6 : price
              return found <= cap * (1 + 1e-9) ? undefined : String(found)
            }
          }
        ] satisfies ReadonlyArray<HardRule>
      })

const contextRule = ({ inputTokens, outputTokens }: Demand): HardRule => ({
  rule: "context_length",
  source: request,
  wanted: `room for about ${inputTokens + outputTokens} tokens`,
  fails: ({ endpoint: { contextLength } }) =>
    contextLength === undefined || inputTokens + outputTokens <= contextLength
      ? undefined
      : String(contextLength)
})

const parametersRule = ({ parameters }: Demand): HardRule => ({
  rule: "require_parameters",
  source: request,
  wanted: parameters.join(", "),
  fails: ({ endpoint: { supportedParameters } }) => {
    const missing = parameters.filter((parameter) => !supportedParameters.has(parameter))
    return missing.length === 0 ? undefined : `without ${missing.join(", ")}`
  }
})
