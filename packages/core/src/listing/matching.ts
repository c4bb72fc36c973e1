/** The places of the models a query asks for. */
import * as Bits from "./Bits.ts"
import type { Facet, ModelIndex } from "./ModelIndex.ts"
import type { ModelQuery, Range } from "./ModelQuery.ts"

/** `now` is in milliseconds since the epoch: ages are counted from it. */
export const matching = (
  { columns, facets, models, texts }: ModelIndex,
  query: ModelQuery,
  now: number
): Bits.Bits => {
  const found = Bits.all(models.length)
  const oneOf = (facet: Facet, values: ReadonlyArray<string> | undefined): void => {
    if (values === undefined) return
    const any = Bits.none(models.length)
    for (const value of values) {
      const having = facet.get(value.toLowerCase())
      if (having !== undefined) Bits.join(any, having)
    }
    Bits.keep(found, any)
  }
  const allOf = (facet: Facet, values: ReadonlyArray<string> = []): void => {
    for (const value of values) oneOf(facet, [value])
  }
  const within = (column: Float64Array, range: Range | undefined): void => {
    if (range === undefined) return
    const { max = Infinity, min = -Infinity } = range
    Bits.keepWithin(found, column, min, max)
  }

  oneOf(facets.category, one(query.category))
  allOf(facets.parameter, query.supportedParameters)
  oneOf(facets.output, query.outputModalities)
  allOf(facets.input, query.inputModalities)
  oneOf(facets.architecture, one(query.architecture))
  oneOf(facets.author, query.authors)
  oneOf(facets.provider, query.providers)
  oneOf(facets.region, one(query.region))
  if (query.zdr === true) oneOf(facets.zdr, yes)
  if (query.distillable === true) oneOf(facets.distillable, yes)
  if (query.distillable === false) {
    const distillable = facets.distillable.get("yes")
    if (distillable !== undefined) {
      Bits.keepWhere(found, (place) => !Bits.has(distillable, place))
    }
  }
  within(columns.context, query.context === undefined ? undefined : { min: query.context })
  within(columns.price, query.price)
  within(columns.outputPrice, query.outputPrice)
  within(columns.created, createdWithin(query.ageDays, now))
  within(columns.intelligence, query.intelligence)
  within(columns.coding, query.coding)
  within(columns.agentic, query.agentic)
  within(columns.toolSuccessRate, query.toolSuccessRate)
  // Last, when few are left: it is the dearest.
  const words = query.text?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  if (words.length > 0) {
    Bits.keepWhere(found, (place) => words.every((word) => texts[place]!.includes(word)))
  }
  return found
}

const yes = ["yes"]

const one = (value: string | undefined): ReadonlyArray<string> | undefined =>
  value === undefined ? undefined : [value]

const daySeconds = 86_400

const createdWithin = (ageDays: Range | undefined, now: number): Range | undefined => {
  if (ageDays === undefined) return undefined
  const ago = (days: number): number => now / 1000 - days * daySeconds
  return {
    ...(ageDays.max === undefined ? undefined : { min: ago(ageDays.max) }),
    ...(ageDays.min === undefined ? undefined : { max: ago(ageDays.min) })
  }
}
