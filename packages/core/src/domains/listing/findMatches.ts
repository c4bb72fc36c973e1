/** Finds the models that match a query, by index. */
import * as Bits from "./BitSet.ts"
import type { Facet, ModelIndex } from "./ModelIndex.ts"
import type { ModelQuery, Range } from "./ModelQuery.ts"

/** `now`, in milliseconds since the epoch, is what ages are relative to. */
export const findMatches = (
  { columns, facets, models, texts }: ModelIndex,
  query: ModelQuery,
  now: number
): Bits.BitSet => {
  const found = Bits.makeFull(models.length)
  const requireOneOf = (facet: Facet, values: ReadonlyArray<string> | undefined): void => {
    if (values === undefined) return
    const any = Bits.makeEmpty(models.length)
    for (const value of values) {
      const having = facet.get(value.toLowerCase())
      if (having !== undefined) Bits.union(any, having)
    }
    Bits.intersect(found, any)
  }
  const requireAllOf = (facet: Facet, values: ReadonlyArray<string> = []): void => {
    for (const value of values) requireOneOf(facet, [value])
  }
  const requireRange = (column: Float64Array, range: Range | undefined): void => {
    if (range === undefined) return
    const { max = Infinity, min = -Infinity } = range
    Bits.filterRange(found, column, min, max)
  }

  requireOneOf(facets.category, toList(query.category))
  requireAllOf(facets.parameter, query.supportedParameters)
  requireOneOf(facets.output, query.outputModalities)
  requireAllOf(facets.input, query.inputModalities)
  requireOneOf(facets.architecture, toList(query.architecture))
  requireOneOf(facets.author, query.authors)
  requireOneOf(facets.provider, query.providers)
  requireOneOf(facets.region, toList(query.region))
  if (query.zdr === true) requireOneOf(facets.zdr, yes)
  if (query.distillable === true) requireOneOf(facets.distillable, yes)
  if (query.distillable === false) {
    const distillable = facets.distillable.get("yes")
    if (distillable !== undefined) {
      Bits.filter(found, (place) => !Bits.has(distillable, place))
    }
  }
  requireRange(columns.context, query.context === undefined ? undefined : { min: query.context })
  requireRange(columns.price, query.price)
  requireRange(columns.outputPrice, query.outputPrice)
  requireRange(columns.created, toCreatedRange(query.ageDays, now))
  requireRange(columns.intelligence, query.intelligence)
  requireRange(columns.coding, query.coding)
  requireRange(columns.agentic, query.agentic)
  requireRange(columns.toolSuccessRate, query.toolSuccessRate)
  // Last, because it is the most expensive filter.
  const words = query.text?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  if (words.length > 0) {
    Bits.filter(found, (place) => words.every((word) => texts[place]!.includes(word)))
  }
  return found
}

const yes = ["yes"]

const toList = (value: string | undefined): ReadonlyArray<string> | undefined =>
  value === undefined ? undefined : [value]

const daySeconds = 86_400

const toCreatedRange = (ageDays: Range | undefined, now: number): Range | undefined => {
  if (ageDays === undefined) return undefined
  const ago = (days: number): number => now / 1000 - days * daySeconds
  return {
    ...(ageDays.max === undefined ? undefined : { min: ago(ageDays.max) }),
    ...(ageDays.min === undefined ? undefined : { max: ago(ageDays.min) })
  }
}
