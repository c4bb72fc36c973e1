/** The catalog's search in the plainest way there is: what the query engine must agree with, and is measured against. */
import type { Endpoint } from "../../src/catalog/Endpoint.ts"
import type { Model } from "../../src/catalog/Model.ts"
import type { HealthSnapshot } from "../../src/health/HealthSnapshot.ts"
import type { ModelQuery, Range, Sort } from "../../src/listing/ModelQuery.ts"

/** What a search looks at beside the models. */
export interface Around {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Display name of a provider, by slug. */
  readonly nameOf: (provider: string) => string
  readonly health: HealthSnapshot
  readonly weeklyTokens: (model: string) => number
}

type Filters = Required<Omit<ModelQuery, "sort">>
export type Filter = keyof Filters

export const plainSearch = (
  models: ReadonlyArray<Model>,
  query: ModelQuery,
  around: Around
): ReadonlyArray<Model> => {
  const { sort, ...asked } = query
  const entries = Object.entries(asked)
  const found = models
    .filter(({ hidden }) => !hidden)
    // What is left of a query is its filters.
    .filter((model) =>
      entries.every(([name, value]) => passes(name as Filter, model, value, around))
    )
    .toSorted((one, other) => (other.created ?? -1) - (one.created ?? -1))
  if (sort === undefined) return found
  return found
    .map((model) => ({ model, score: scoreOf(sort, model, around) }))
    .toSorted(isRising(sort) ? rising : falling)
    .map(({ model }) => model)
}

const passes = (name: Filter, model: Model, asked: unknown, around: Around): boolean => {
  // What was asked stands under the name of its filter; each filter takes something else.
  const filter = filters[name] as (model: Model, asked: unknown, around: Around) => boolean
  return filter(model, asked, around)
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
const holds = (names: ReadonlyArray<string>, name: string): boolean =>
  names.some((each) => same(each, name))
const isWithin = (value: number | null | undefined, { max, min }: Range): boolean =>
  value != null &&
  !Number.isNaN(value) &&
  (min === undefined || value >= min) &&
  (max === undefined || value <= max)

/** Read with the exponent, so that the nearest number to the exact product comes out. */
const perMillion = (price: string): number | undefined =>
  price === "-1" ? undefined : Number(`${price}e6`)

const filters: {
  readonly [F in Filter]: (model: Model, asked: Filters[F], around: Around) => boolean
} = {
  category: ({ categories }, asked) => categories.includes(asked),
  supportedParameters: ({ card }, asked) =>
    asked.every((name) => holds(card.supported_parameters, name)),
  outputModalities: ({ card }, asked) =>
    asked.some((name) => holds(card.architecture.output_modalities, name)),
  inputModalities: ({ card }, asked) =>
    asked.every((name) => holds(card.architecture.input_modalities, name)),
  text: ({ id, name }, asked) =>
    asked
      .split(/\s+/)
      .map((word) => word.toLowerCase())
      .every((word) => name.toLowerCase().includes(word) || id.toLowerCase().includes(word)),
  context: ({ contextLength }, asked) => isWithin(contextLength, { min: asked }),
  price: ({ card }, asked) => isWithin(perMillion(card.pricing.prompt), asked),
  outputPrice: ({ card }, asked) => isWithin(perMillion(card.pricing.completion), asked),
  architecture: ({ card, family }, asked) =>
    [card.architecture.tokenizer, family].some((name) => name !== undefined && same(name, asked)),
  authors: ({ id }, asked) => holds(asked, id.split("/")[0]!.replace("~", "")),
  providers: ({ endpoints }, asked, { nameOf }) =>
    endpoints.some(({ provider, tag }) =>
      [provider, tag, nameOf(provider)].some((name) => holds(asked, name))
    ),
  distillable: ({ distillable }, asked) => distillable === asked,
  zdr: ({ endpoints }) => endpoints.some(({ zdr }) => zdr),
  region: ({ endpoints }, asked) =>
    endpoints.some(({ region }) => region !== undefined && same(region, asked)),
  ageDays: ({ created }, asked, { now }) =>
    isWithin(created === undefined ? undefined : (now / 1000 - created) / 86_400, asked),
  intelligence: ({ card }, asked) =>
    isWithin(card.benchmarks?.artificial_analysis?.intelligence_index, asked),
  coding: ({ card }, asked) => isWithin(card.benchmarks?.artificial_analysis?.coding_index, asked),
  agentic: ({ card }, asked) =>
    isWithin(card.benchmarks?.artificial_analysis?.agentic_index, asked),
  toolSuccessRate: ({ toolSuccessRate }, asked) => isWithin(toolSuccessRate, asked)
}

/** What a sort goes by; undefined where nobody says. */
export const scoreOf = (sort: Sort, model: Model, around: Around): number | undefined => {
  const { card, created, endpoints, id } = model
  const anybodys = endpoints.filter(({ tier }) => tier === "default")
  const indices = card.benchmarks?.artificial_analysis
  switch (sort) {
    case "newest":
      return created
    case "most-popular":
    case "top-weekly":
      return around.weeklyTokens(id)
    case "pricing-low-to-high":
    case "pricing-high-to-low":
      return meanPrice(card.pricing)
    case "context-high-to-low":
      return model.contextLength
    case "throughput-high-to-low":
      return best(Math.max, anybodys.map(throughputOf(around)))
    case "latency-low-to-high":
      return best(Math.min, anybodys.map(latencyOf(around)))
    case "intelligence-high-to-low":
      return indices?.intelligence_index ?? undefined
    case "coding-high-to-low":
      return indices?.coding_index ?? undefined
    case "agentic-high-to-low":
      return indices?.agentic_index ?? undefined
    case "design-arena-elo-high-to-low":
      return best(Math.max, card.benchmarks?.design_arena.map(({ elo }) => elo) ?? [])
  }
}

const meanPrice = ({ completion, prompt }: Model["card"]["pricing"]): number | undefined =>
  prompt === "-1" || completion === "-1" ? undefined : exactSum(prompt, completion) / 2

/** Of two decimals of at most twenty places, as a number that is the same whenever the sum is. */
const exactSum = (one: string, other: string): number =>
  Number(`${places20(one) + places20(other)}e-20`)
const places20 = (decimal: string): bigint => {
  const [whole = "", fraction = ""] = decimal.split(".")
  return BigInt(whole + fraction.padEnd(20, "0"))
}

const throughputOf =
  ({ health }: Around) =>
  ({ id, typical }: Endpoint): number | undefined =>
    health.endpoints[id]?.longer?.m30.throughput?.p50 ?? typical.throughput
const latencyOf =
  ({ health }: Around) =>
  ({ id, typical }: Endpoint): number | undefined =>
    health.endpoints[id]?.longer?.m30.latency?.p50 ?? typical.latencyMillis

const best = (
  of: (...values: ReadonlyArray<number>) => number,
  values: ReadonlyArray<number | undefined>
): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : of(...known)
}

interface Scored {
  readonly score: number | undefined
}

const rising = ({ score: one }: Scored, { score: other }: Scored): number =>
  one === undefined || other === undefined ? unscoredLast(one, other) : one - other

const falling = ({ score: one }: Scored, { score: other }: Scored): number =>
  one === undefined || other === undefined ? unscoredLast(one, other) : other - one

const unscoredLast = (one: number | undefined, other: number | undefined): number =>
  Number(one === undefined) - Number(other === undefined)

const isRising = (sort: Sort): boolean => sort.endsWith("low-to-high")
