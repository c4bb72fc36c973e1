/**
 * Random queries of a catalog. Their values are drawn from its models, so that they find something.
 */
import fc from "fast-check"
import { categories } from "../../../src/engine/catalog/model/Category.ts"
import type { Model } from "../../../src/engine/catalog/model/Model.ts"
import {
  inputModalities,
  type ModelQuery,
  outputModalities,
  type Range,
  regions,
  modelSorts
} from "../../../src/domains/listing/ModelQuery.ts"
import type { Filter } from "./searchByScan.ts"

export interface GeneratedQuery {
  readonly models: ReadonlyArray<Model>
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly nameOf: (provider: string) => string
}

/** With this many filters, and any sort or none. */
export const makeQueries = (
  asking: GeneratedQuery,
  many: { readonly minLength?: number; readonly maxLength: number }
): fc.Arbitrary<ModelQuery> => {
  const asked = listValues(asking)
  // The keys of the record are the filters.
  const filters = Object.keys(asked) as ReadonlyArray<Filter>
  return fc
    .subarray([...filters], many)
    .chain((chosen) =>
      fc.record({
        ...Object.fromEntries(chosen.map((name) => [name, asked[name]])),
        sort: fc.option(fc.constantFrom(...modelSorts), { nil: undefined })
      })
    )
    .map(({ sort, ...query }) => (sort === undefined ? query : { ...query, sort }))
}

const listValues = ({
  models,
  nameOf,
  now
}: GeneratedQuery): { readonly [F in Filter]: fc.Arbitrary<Required<ModelQuery>[F]> } => {
  const cards = models.map(({ card }) => card)
  const endpoints = models.flatMap((model) => model.endpoints)
  const indices = cards.flatMap(({ benchmarks }) => benchmarks?.artificial_analysis ?? [])
  return {
    category: fc.constantFrom(...categories),
    supportedParameters: pickSome(
      cards.flatMap((card) => card.supported_parameters),
      2
    ),
    outputModalities: fc.subarray([...outputModalities], { minLength: 1, maxLength: 3 }),
    inputModalities: fc.subarray([...inputModalities], { minLength: 1, maxLength: 2 }),
    text: fc
      .array(pickPart(models.flatMap(({ id, name }) => [id, ...name.split(" ")])), {
        minLength: 1,
        maxLength: 2
      })
      .map((words) => words.join(" ")),
    context: pickOne(cards.map(({ context_length }) => context_length ?? 0)),
    price: makeRange(cards.map(({ pricing }) => toPerMillion(pricing.prompt))),
    outputPrice: makeRange(cards.map(({ pricing }) => toPerMillion(pricing.completion))),
    architecture: varyCase(
      models.flatMap(({ card, family }) => [card.architecture.tokenizer ?? "", family ?? "Router"])
    ),
    authors: pickSome(
      models.map(({ id }) => id.split("/")[0]!.replace("~", "")),
      4
    ),
    providers: pickSome(
      endpoints.flatMap(({ provider, tag }) => [provider, tag, nameOf(provider)]),
      4
    ),
    distillable: fc.boolean(),
    zdr: fc.constant(true),
    region: fc.constantFrom(...regions),
    ageDays: makeRange(
      models.map(({ created = 0 }) => Math.floor((now / 1000 - created) / 86_400))
    ),
    intelligence: makeRange(indices.map(({ intelligence_index }) => intelligence_index ?? 0)),
    coding: makeRange(indices.map(({ coding_index }) => coding_index ?? 0)),
    agentic: makeRange(indices.map(({ agentic_index }) => agentic_index ?? 0)),
    toolSuccessRate: makeRange(models.map(({ toolSuccessRate }) => toolSuccessRate ?? 0))
  }
}

const toPerMillion = (price: string): number => Math.max(0, Number(`${price}e6`))

const pickOne = <A>(values: ReadonlyArray<A>): fc.Arbitrary<A> =>
  fc.constantFrom(...new Set(values))

/** Names as they are, or in upper case. */
const varyCase = (names: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc
    .tuple(pickOne([...names, "nobody"]), fc.constantFrom("as it is", "upper", "lower"))
    .map(([name, how]) =>
      how === "upper" ? name.toUpperCase() : how === "lower" ? name.toLowerCase() : name
    )

const pickSome = (
  names: ReadonlyArray<string>,
  most: number
): fc.Arbitrary<ReadonlyArray<string>> => {
  return fc.array(varyCase(names), { minLength: 1, maxLength: most })
}

const pickPart = (texts: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc
    .tuple(pickOne(texts), fc.nat({ max: 8 }), fc.integer({ min: 1, max: 5 }))
    .map(([text, start, length]) => text.slice(start, start + length).trim() || text)

/** The ends are numbers of models, because errors occur at the ends of ranges. */
const makeRange = (values: ReadonlyArray<number>): fc.Arbitrary<Range> => {
  const end = pickOne(values)
  return fc.oneof(
    end.map((min) => ({ min })),
    end.map((max) => ({ max })),
    fc
      .tuple(end, end)
      .map(([one, other]) => ({ min: Math.min(one, other), max: Math.max(one, other) }))
  )
}
