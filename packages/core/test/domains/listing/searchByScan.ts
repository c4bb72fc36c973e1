/**
 * A simple implementation of the catalog's search. Tests compare the query engine with it,
 * benchmarks measure against it.
 */
import type { Endpoint } from "../../../src/engine/catalog/endpoint/Endpoint.ts"
import type { Model } from "../../../src/engine/catalog/model/Model.ts"
import type { HealthSnapshot } from "../../../src/engine/health/HealthSnapshot.ts"
import type { ModelQuery, Range, ModelSort } from "../../../src/domains/listing/ModelQuery.ts"

/** The inputs of a search besides the models. */
export interface SearchContext {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The display name of a provider, by slug. */
  readonly nameOf: (provider: string) => string
  readonly health: HealthSnapshot
  readonly weeklyTokens: (model: string) => number
}

type Filters = Required<Omit<ModelQuery, "sort">>
export type Filter = keyof Filters

export const searchByScan = (
  models: ReadonlyArray<Model>,
  query: ModelQuery,
  around: SearchContext
): ReadonlyArray<Model> => {
  const { sort, ...wanted } = query
  const entries = Object.entries(wanted)
  const found = models
    .filter(({ hidden }) => !hidden)
    // The rest of a query is its filters.
    .filter((model) =>
      entries.every(([name, value]) => matchesFilter(name as Filter, model, value, around))
    )
    .toSorted((one, other) => (other.created ?? -1) - (one.created ?? -1))
  if (sort === undefined) return found
  return found
    .map((model) => ({ model, score: computeScore(sort, model, around) }))
    .toSorted(isAscending(sort) ? compareAscending : compareDescending)
    .map(({ model }) => model)
}

const matchesFilter = (
  name: Filter,
  model: Model,
  value: unknown,
  around: SearchContext
): boolean => {
  // The value has the type of its filter, which differs for each name.
  const filter = filters[name] as (model: Model, value: unknown, around: SearchContext) => boolean
  return filter(model, value, around)
}

const equalsIgnoringCase = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase()
const includesIgnoringCase = (names: ReadonlyArray<string>, name: string): boolean =>
  names.some((each) => equalsIgnoringCase(each, name))
const isWithin = (value: number | null | undefined, { max, min }: Range): boolean =>
  value != null &&
  !Number.isNaN(value) &&
  (min === undefined || value >= min) &&
  (max === undefined || value <= max)

/** Parsed with the exponent, so that the result is the number nearest to the exact product. */
const toPerMillion = (price: string): number | undefined =>
  price === "-1" ? undefined : Number(`${price}e6`)

const filters: {
  readonly [F in Filter]: (model: Model, value: Filters[F], around: SearchContext) => boolean
} = {
  category: ({ categories }, value) => categories.includes(value),
  supportedParameters: ({ card }, value) =>
    value.every((name) => includesIgnoringCase(card.supported_parameters, name)),
  outputModalities: ({ card }, value) =>
    value.some((name) => includesIgnoringCase(card.architecture.output_modalities, name)),
  inputModalities: ({ card }, value) =>
    value.every((name) => includesIgnoringCase(card.architecture.input_modalities, name)),
  text: ({ id, name }, value) =>
    value
      .split(/\s+/)
      .map((word) => word.toLowerCase())
      .every((word) => name.toLowerCase().includes(word) || id.toLowerCase().includes(word)),
  context: ({ contextLength }, value) => isWithin(contextLength, { min: value }),
  price: ({ card }, value) => isWithin(toPerMillion(card.pricing.prompt), value),
  outputPrice: ({ card }, value) => isWithin(toPerMillion(card.pricing.completion), value),
  architecture: ({ card, family }, value) =>
    [card.architecture.tokenizer, family].some(
      (name) => name !== undefined && equalsIgnoringCase(name, value)
    ),
  authors: ({ id }, value) => includesIgnoringCase(value, id.split("/")[0]!.replace("~", "")),
  providers: ({ endpoints }, value, { nameOf }) =>
    endpoints.some(({ provider, tag }) =>
      [provider, tag, nameOf(provider)].some((name) => includesIgnoringCase(value, name))
    ),
  distillable: ({ distillable }, value) => distillable === value,
  zdr: ({ endpoints }) => endpoints.some(({ zdr }) => zdr),
  region: ({ endpoints }, value) =>
    endpoints.some(({ region }) => region !== undefined && equalsIgnoringCase(region, value)),
  ageDays: ({ created }, value, { now }) =>
    isWithin(created === undefined ? undefined : (now / 1000 - created) / 86_400, value),
  intelligence: ({ card }, value) =>
    isWithin(card.benchmarks?.artificial_analysis?.intelligence_index, value),
  coding: ({ card }, value) => isWithin(card.benchmarks?.artificial_analysis?.coding_index, value),
  agentic: ({ card }, value) =>
    isWithin(card.benchmarks?.artificial_analysis?.agentic_index, value),
  toolSuccessRate: ({ toolSuccessRate }, value) => isWithin(toolSuccessRate, value)
}

/** The number that a sort uses; undefined when unknown. */
export const computeScore = (
  sort: ModelSort,
  model: Model,
  around: SearchContext
): number | undefined => {
  const { card, created, endpoints, id } = model
  const untiered = endpoints.filter(({ tier }) => tier === "default")
  const indices = card.benchmarks?.artificial_analysis
  switch (sort) {
    case "newest":
      return created
    case "most-popular":
    case "top-weekly":
      return around.weeklyTokens(id)
    case "pricing-low-to-high":
    case "pricing-high-to-low":
      return computeMeanPrice(card.pricing)
    case "context-high-to-low":
      return model.contextLength
    case "throughput-high-to-low":
      return findBest(Math.max, untiered.map(makeThroughputScore(around)))
    case "latency-low-to-high":
      return findBest(Math.min, untiered.map(makeLatencyScore(around)))
    case "intelligence-high-to-low":
      return indices?.intelligence_index ?? undefined
    case "coding-high-to-low":
      return indices?.coding_index ?? undefined
    case "agentic-high-to-low":
      return indices?.agentic_index ?? undefined
    case "design-arena-elo-high-to-low":
      return findBest(Math.max, card.benchmarks?.design_arena.map(({ elo }) => elo) ?? [])
  }
}

const computeMeanPrice = ({ completion, prompt }: Model["card"]["pricing"]): number | undefined =>
  prompt === "-1" || completion === "-1" ? undefined : sumExactly(prompt, completion) / 2

/** The sum of two decimals of at most twenty places, as a number that is equal for equal sums. */
const sumExactly = (one: string, other: string): number =>
  Number(`${toFixedPoint(one) + toFixedPoint(other)}e-20`)
const toFixedPoint = (decimal: string): bigint => {
  const [whole = "", fraction = ""] = decimal.split(".")
  return BigInt(whole + fraction.padEnd(20, "0"))
}

const makeThroughputScore =
  ({ health }: SearchContext) =>
  ({ id, typical }: Endpoint): number | undefined =>
    health.endpoints[id]?.longer?.m30.throughput?.p50 ?? typical.throughput
const makeLatencyScore =
  ({ health }: SearchContext) =>
  ({ id, typical }: Endpoint): number | undefined =>
    health.endpoints[id]?.longer?.m30.latency?.p50 ?? typical.latencyMillis

const findBest = (
  of: (...values: ReadonlyArray<number>) => number,
  values: ReadonlyArray<number | undefined>
): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : of(...known)
}

interface ScoredModel {
  readonly score: number | undefined
}

const compareAscending = ({ score: one }: ScoredModel, { score: other }: ScoredModel): number =>
  one === undefined || other === undefined ? compareUnscoredLast(one, other) : one - other

const compareDescending = ({ score: one }: ScoredModel, { score: other }: ScoredModel): number =>
  one === undefined || other === undefined ? compareUnscoredLast(one, other) : other - one

const compareUnscoredLast = (one: number | undefined, other: number | undefined): number =>
  Number(one === undefined) - Number(other === undefined)

const isAscending = (sort: ModelSort): boolean => sort.endsWith("low-to-high")
