/** Puts eligible candidates in the order in which they are tried. */
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import type { Candidate } from "./Candidate.ts"
import type { Demand } from "./Demand.ts"
import { estimatedCost } from "./estimatedCost.ts"
import { matchesSlug } from "./matchesSlug.ts"
import type { Preferences, Sort } from "./Preferences.ts"
import type { Strategy } from "./Strategy.ts"

export interface RankInput {
  readonly candidates: ReadonlyArray<Candidate>
  readonly preferences: Preferences
  readonly demand: Demand
  readonly health: HealthSnapshot
  readonly strategy: Strategy
  readonly random: () => number
}

/**
 * `order` puts the listed first, in that order; `sort` orders all of them; else candidates without
 * an outage come first, the first of them drawn by the strategy, the rest cheapest first.
 */
export const rank = (input: RankInput): ReadonlyArray<Candidate> => {
  const { candidates, demand, health, preferences, random, strategy } = input
  if (candidates.length < 2) return candidates
  const costs = new Map(
    candidates.map((candidate) => [candidate.id, estimatedCost(candidate, demand)])
  )
  const cost = (candidate: Candidate): number => costs.get(candidate.id)!
  const byPrice = candidates.toSorted((self, that) => compare(cost(self), cost(that)))
  if (preferences.order != null && preferences.order.length > 0) {
    return listedFirst(byPrice, preferences.order)
  }
  if (sortOf(preferences) !== undefined) return byPrice
  const isOut = ({ endpoint }: Candidate) => health.endpoints[endpoint.id]?.outage !== undefined
  const stable = byPrice.filter((candidate) => !isOut(candidate))
  const unstable = byPrice.filter(isOut)
  const drawnFrom = stable.length > 0 ? stable : unstable
  const first = strategy.first({ candidates: drawnFrom, cost, random })
  return [
    first,
    ...stable.filter((candidate) => candidate !== first),
    ...unstable.filter((candidate) => candidate !== first)
  ]
}

/**
 * What a request is sorted by; undefined when it leaves the choice to the strategy. A sort by what is
 * not measured yet is by price: asked to sort, nothing is drawn.
 */
export const sortOf = ({ sort }: Preferences): Extract<Sort, "price"> | undefined => {
  if (sort == null) return undefined
  const by = typeof sort === "string" ? sort : sort.by
  return by == null ? undefined : "price"
}

const listedFirst = (
  candidates: ReadonlyArray<Candidate>,
  order: ReadonlyArray<string>
): ReadonlyArray<Candidate> => {
  const listed = new Set(
    order.flatMap((slug) => candidates.filter((candidate) => matchesSlug(candidate, slug)))
  )
  return [...listed, ...candidates.filter((candidate) => !listed.has(candidate))]
}

const compare = (self: number, that: number): number => (self < that ? -1 : self > that ? 1 : 0)
