/** When nobody may serve: how many candidates each filter removed, and the fewest to relax. Source: pains 13. */
import type { Rejected } from "./Rejected.ts"
import type { Exclusion } from "./Reason.ts"

/** One active rule, as it was stated. */
export interface Filter {
  readonly rule: Exclusion
  readonly source: string
  readonly wanted: string
}

export interface FilterCount extends Filter {
  /** Candidates it alone or together with others removed. */
  readonly removed: number
}

/** The filter that removed most comes first. */
export const filterCounts = (rejected: ReadonlyArray<Rejected>): ReadonlyArray<FilterCount> => {
  const counts = new Map<string, FilterCount>()
  for (const { reasons } of rejected) {
    for (const filter of filtersOf(reasons)) {
      const known = counts.get(keyOf(filter))
      counts.set(keyOf(filter), { ...filter, removed: (known?.removed ?? 0) + 1 })
    }
  }
  return Array.from(counts.values()).toSorted((self, that) => that.removed - self.removed)
}

/**
 * The smallest set of filters without which somebody could serve; among equals the one with most
 * filters of the request, which the caller can change. Empty when there was nobody to begin with.
 */
export const smallestRelaxation = (rejected: ReadonlyArray<Rejected>): ReadonlyArray<Filter> => {
  const sets = rejected.map(({ reasons }) => filtersOf(reasons))
  const [first, ...others] = sets
  return others.reduce((best, set) => (isEasier(set, best) ? set : best), first ?? [])
}

const isEasier = (self: ReadonlyArray<Filter>, that: ReadonlyArray<Filter>): boolean =>
  self.length < that.length || (self.length === that.length && ownOf(self) > ownOf(that))

const ownOf = (filters: ReadonlyArray<Filter>): number =>
  filters.filter(({ source }) => source === "request").length

const filtersOf = (reasons: Rejected["reasons"]): ReadonlyArray<Filter> =>
  Array.from(
    new Map(
      reasons.map(({ rule, source, wanted }) => [
        keyOf({ rule, source, wanted }),
        { rule, source, wanted }
      ])
    ).values()
  )

/** One rule may be stated several times, as the parts of `max_price` are. */
const keyOf = ({ rule, source, wanted }: Filter): string => `${rule}\n${source}\n${wanted}`
