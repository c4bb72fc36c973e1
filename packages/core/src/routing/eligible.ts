/** The hard rules: what a candidate must satisfy to be tried at all. Sources: semantics A2, A3. */
import { memoize } from "effect/Function"
import { isKnown, type Price } from "../catalog/Price.ts"
import { covers } from "../catalog/Quantization.ts"
import type { Barred } from "./Barred.ts"
import { type Candidate, isByok } from "./Candidate.ts"
import type { Constraint } from "./Constraint.ts"
import type { Demand } from "./Demand.ts"
import { inRegion } from "./inRegion.ts"
import { modelList } from "./modelList.ts"
import type { Preferences } from "./Preferences.ts"
import type { Exclusion, Reason } from "./Reason.ts"
import type { RequestedModel } from "./RequestedModel.ts"
import { type SlugList, slugList } from "./slugList.ts"

/** One active rule: undefined when the candidate passes, else what was found. */
export interface HardRule {
  readonly rule: Exclusion
  readonly source: string
  readonly wanted: string
  readonly fails: (candidate: Candidate) => string | undefined
}

export interface Restrictions {
  readonly models: ReadonlyArray<RequestedModel>
  readonly preferences: Preferences
  readonly constraints: ReadonlyArray<Constraint>
  readonly demand: Demand
  /** The id of the only endpoint that may serve. */
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
  tierRule(models, preferences, constraints),
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
  ...(constraint.budgeted === true ? [knownPriceRule(constraint.source)] : [])
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

const request = "request"

/** Clients send empty lists for "no restriction". */
export const stated = <A>(
  list: ReadonlyArray<A> | null | undefined
): ReadonlyArray<A> | undefined => (list == null || list.length === 0 ? undefined : list)

const noReasons: ReadonlyArray<Reason<Exclusion>> = []

const listRules = (
  source: string,
  only: ReadonlyArray<string> | undefined,
  ignore: ReadonlyArray<string> | undefined
): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (only !== undefined) {
    const allowed = slugList(only)
    rules.push({
      rule: "only",
      source,
      wanted: `one of ${only.join(", ")}`,
      fails: (candidate) => (allowed.reaches(candidate) ? undefined : candidate.endpoint.tag)
    })
  }
  if (ignore !== undefined && ignore.length > 0) {
    const ignored = slugList(ignore)
    rules.push({
      rule: "ignore",
      source,
      wanted: `none of ${ignore.join(", ")}`,
      fails: (candidate) => (ignored.reaches(candidate) ? candidate.endpoint.tag : undefined)
    })
  }
  return rules
}

const modelRules = ({ ignoreModels, onlyModels, source }: Constraint): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (onlyModels !== undefined) {
    const isAllowed = modelList(onlyModels)
    rules.push({
      rule: "allowed_models",
      source,
      wanted: `one of ${onlyModels.join(", ")}`,
      fails: (candidate) => (isAllowed(candidate) ? undefined : candidate.endpoint.model)
    })
  }
  if (ignoreModels !== undefined && ignoreModels.length > 0) {
    const isIgnored = modelList(ignoreModels)
    rules.push({
      rule: "ignored_models",
      source,
      wanted: `none of ${ignoreModels.join(", ")}`,
      fails: (candidate) => (isIgnored(candidate) ? candidate.endpoint.model : undefined)
    })
  }
  return rules
}

const regionRules = ({ regions, source }: Constraint): ReadonlyArray<HardRule> =>
  regions === undefined
    ? []
    : [
        {
          rule: "data_region",
          source,
          wanted: `a place in ${regions.join(" or ")}`,
          fails: ({ endpoint: { region } }) =>
            inRegion(regions, region) ? undefined : (region ?? "unknown place")
        }
      ]

/** `allow_fallbacks: false` with an `order` leaves the listed ones. */
const onlyListedRules = ({ allow_fallbacks, order }: Preferences): ReadonlyArray<HardRule> => {
  const listed = stated(order)
  if (allow_fallbacks !== false || listed === undefined) return []
  const allowed = slugList(listed)
  return [
    {
      rule: "allow_fallbacks",
      source: request,
      wanted: `one of ${listed.join(", ")}`,
      fails: (candidate) => (allowed.has(candidate) ? undefined : candidate.endpoint.tag)
    }
  ]
}

/**
 * Endpoints of a service tier serve those who name them, and `:nitro` (priority) and `:floor` (flex)
 * unless an `order` is given.
 */
const tierRule = (
  models: ReadonlyArray<RequestedModel>,
  { only, order }: Preferences,
  constraints: ReadonlyArray<Constraint>
): HardRule => {
  // Few models have tiers, and a list may be long.
  let named: SlugList | undefined
  const isNamed = (candidate: Candidate): boolean => {
    const lists = [only ?? [], order ?? [], ...constraints.map(({ only = [] }) => only)]
    named ??= slugList(lists.flat())
    return named.has(candidate)
  }
  const isOrdered = stated(order) !== undefined
  return {
    rule: "tier",
    source: request,
    wanted: "no service tier that was not asked for",
    fails: (candidate) => {
      const { model, tag, tier } = candidate.endpoint
      if (tier === "default" || isNamed(candidate)) return undefined
      const variant = isOrdered ? undefined : models.find(({ id }) => id === model)?.variant
      return variant !== undefined && tierOf[variant] === tier ? undefined : tag
    }
  }
}

const tierOf = { nitro: "priority", floor: "flex", exacto: undefined } as const

const zdrRule = (source: string): HardRule => ({
  rule: "zdr",
  source,
  wanted: "zero data retention",
  fails: ({ credential, endpoint }) => {
    const declared = credential?.declaredZdr ?? undefined
    if (declared ?? endpoint.zdr) return undefined
    return declared === undefined ? "retains data" : "its credential is declared to retain data"
  }
})

const zdrOfRules = ({ source, zdrOf }: Constraint): ReadonlyArray<HardRule> => {
  if (zdrOf === undefined) return []
  const { authors, isAllBut } = zdrOf
  const named = authors.join(", ")
  return [
    {
      rule: "zdr",
      source,
      wanted: `zero data retention for models of ${isAllBut ? `all but ${named}` : named}`,
      fails: ({ endpoint: { model, zdr } }) => {
        const [author = ""] = model.toLowerCase().split("/")
        return zdr || authors.includes(author) === isAllBut ? undefined : "retains data"
      }
    }
  ]
}

const dataCollectionRule = (source: string): HardRule => ({
  rule: "data_collection",
  source,
  wanted: "no data collection",
  fails: ({ endpoint: { data } }) =>
    data.collects ? "collects data" : data.trains ? "trains on data" : undefined
})

/** What an endpoint may do with the data, by whether it is free. */
const sparingRules = ({
  denyFreeCollection,
  denyTraining = [],
  source
}: Constraint): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = denyTraining.map((kind) => ({
    rule: "data_collection",
    source,
    wanted: `no ${kind} endpoint that trains`,
    fails: ({ endpoint: { data, price } }) =>
      data.trains && isFree(price) === (kind === "free") ? "trains on data" : undefined
  }))
  if (denyFreeCollection === true) {
    rules.push({
      rule: "data_collection",
      source,
      wanted: "no free endpoint that publishes",
      fails: ({ endpoint: { data, price } }) =>
        data.collects && isFree(price) ? "collects data" : undefined
    })
  }
  return rules
}

/** An unknown price is none of nothing. */
const isFree = ({ approximate: { completion, prompt, request } }: Price): boolean =>
  prompt === 0 && completion === 0 && !(request > 0)

const knownPriceRule = (source: string): HardRule => ({
  rule: "unknown_price",
  source,
  wanted: "a known price, because spending is limited",
  // What runs on a customer's own credential is not paid for here.
  fails: (candidate) =>
    isByok(candidate) || isKnown(candidate.endpoint.price) ? undefined : "unknown price"
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
  fails: ({ endpoint: { contextLength = Infinity, maxPromptTokens = Infinity } }) => {
    if (inputTokens > maxPromptTokens) return `${maxPromptTokens} tokens of prompt`
    return inputTokens + outputTokens <= contextLength ? undefined : String(contextLength)
  }
})

const outputRules = ({ outputTokens }: Demand): ReadonlyArray<HardRule> =>
  outputTokens === 0
    ? []
    : [
        {
          rule: "max_completion_tokens",
          source: request,
          wanted: `an answer of ${outputTokens} tokens`,
          fails: ({ endpoint: { maxCompletionTokens } }) =>
            maxCompletionTokens === undefined || outputTokens <= maxCompletionTokens
              ? undefined
              : String(maxCompletionTokens)
        }
      ]

/** All the request supplies, and one of those its operation is done with at the candidate's upstream. */
const parametersRule = ({ parameters }: Demand): HardRule => ({
  rule: "require_parameters",
  source: request,
  wanted: parameters.length === 0 ? "what the operation is done with" : parameters.join(", "),
  fails: ({ endpoint: { supportedParameters }, needsOneOf }) => {
    const missing = parameters.filter((parameter) => !supportedParameters.has(parameter))
    const isLacking =
      needsOneOf !== undefined && !needsOneOf.some((name) => supportedParameters.has(name))
    if (isLacking) missing.push(needsOneOf.join(" or "))
    return missing.length === 0 ? undefined : `without ${missing.join(", ")}`
  }
})

const pinRule = (pin: string): HardRule => ({
  rule: "pin",
  source: request,
  wanted: pin,
  fails: ({ endpoint: { id } }) => (id === pin ? undefined : id)
})

/** A provider is skipped rather than paid for with the host's credential. */
const barredRules = ({ only, required }: Barred): ReadonlyArray<HardRule> => {
  const rules: Array<HardRule> = []
  if (only.size > 0) {
    rules.push(ownRule("byok_only", ({ endpoint }) => only.has(endpoint.provider.toLowerCase())))
  }
  if (required.size > 0) {
    rules.push(
      ownRule(
        "byok_required",
        ({ endpoint: { model, provider } }) =>
          required.get(provider.toLowerCase())?.has(model) === true
      )
    )
  }
  return rules
}

const ownRule = (
  rule: "byok_only" | "byok_required",
  bars: (candidate: Candidate) => boolean
): HardRule => ({
  rule,
  source: "credential",
  wanted: "a credential of the customer's own",
  fails: (candidate) => (isByok(candidate) || !bars(candidate) ? undefined : "shared capacity")
})
