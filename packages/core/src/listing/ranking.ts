/** Places in an order: the whole catalog is put in order once, and a query walks through it. */
import * as Bits from "./Bits.ts"
import type { ModelIndex } from "./ModelIndex.ts"
import type { Sort } from "./ModelQuery.ts"

/** Every place once. */
export type Ranking = Uint32Array

/** What a sort goes by that changes while the models stay the same. */
export type Live = "throughput" | "latency" | "weeklyTokens"

/** Undefined where the order follows from the models alone. */
export const liveOf = (sort: Sort): Live | undefined =>
  Object.hasOwn(live, sort) ? live[sort as keyof typeof live] : undefined

/**
 * Without a number last, in either direction; equals stay in the default order. `measured` is by place,
 * NaN where nobody knows, for the sorts that go by what changes.
 */
export const ranking = (
  { columns, models }: ModelIndex,
  sort: Sort | undefined,
  measured: Float64Array = new Float64Array(models.length).fill(Number.NaN)
): Ranking => {
  const places = Uint32Array.from(models, (_, place) => place)
  if (sort === undefined || sort === "newest") return places
  const { direction, of } = rules[sort](columns, measured)
  return places.toSorted((one, other) => compare(of(one), of(other), direction) || one - other)
}

/** The places from `offset` on that are in `found`, `limit` at most. */
export const page = (
  found: Bits.Bits,
  inOrder: Ranking,
  offset: number,
  limit: number
): ReadonlyArray<number> => {
  const places: Array<number> = []
  let skipped = 0
  for (const place of inOrder) {
    if (!Bits.has(found, place)) continue
    if (skipped < offset) skipped++
    else if (places.push(place) >= limit) break
  }
  return places
}

const compare = (one: number, other: number, direction: 1 | -1): number => {
  if (Number.isNaN(one)) return Number.isNaN(other) ? 0 : 1
  if (Number.isNaN(other)) return -1
  return direction * (one - other)
}

interface Rule {
  readonly of: (place: number) => number
  /** 1: the least first. */
  readonly direction: 1 | -1
}
type RuleOf = (columns: ModelIndex["columns"], measured: Float64Array) => Rule

/** Source: semantics F, the average of prompt and completion. */
const price =
  (direction: 1 | -1): RuleOf =>
  ({ meanPrice }) => ({ direction, of: (place) => meanPrice[place]! })

const high =
  (name: "context" | "intelligence" | "coding" | "agentic" | "elo"): RuleOf =>
  ({ [name]: column }) => ({ direction: -1, of: (place) => column[place]! })

const asMeasured =
  (direction: 1 | -1): RuleOf =>
  (_, measured) => ({ direction, of: (place) => measured[place]! })

const live = {
  "most-popular": "weeklyTokens",
  "top-weekly": "weeklyTokens",
  "throughput-high-to-low": "throughput",
  "latency-low-to-high": "latency"
} as const satisfies Partial<Record<Sort, Live>>

const rules: Readonly<Record<Exclude<Sort, "newest">, RuleOf>> = {
  "most-popular": asMeasured(-1),
  "top-weekly": asMeasured(-1),
  "throughput-high-to-low": asMeasured(-1),
  "latency-low-to-high": asMeasured(1),
  "pricing-low-to-high": price(1),
  "pricing-high-to-low": price(-1),
  "context-high-to-low": high("context"),
  "intelligence-high-to-low": high("intelligence"),
  "coding-high-to-low": high("coding"),
  "agentic-high-to-low": high("agentic"),
  "design-arena-elo-high-to-low": high("elo")
}
