/** For a plan without candidates: how many each filter removed, and the fewest filters to relax. */
import type { Exclusion, RejectedCandidate } from "../Reason.ts"

/** One active rule and its source. */
export interface ActiveFilter {
  readonly rule: Exclusion
  readonly source: string
  readonly wanted: string
}

export interface FilterCount extends ActiveFilter {
  /** The number of candidates that it rejected, alone or together with others. */
  readonly removed: number
}

/** The filter that rejected most candidates comes first. */
export const countFilters = (
  rejected: ReadonlyArray<RejectedCandidate>
): ReadonlyArray<FilterCount> => {
  const counts = new Map<string, FilterCount>()
  for (const { reasons } of rejected) {
    for (const filter of toFilters(reasons)) {
      const known = counts.get(toKey(filter))
      counts.set(toKey(filter), { ...filter, removed: (known?.removed ?? 0) + 1 })
    }
  }
  return Array.from(counts.values()).toSorted((self, that) => that.removed - self.removed)
}

/**
 * The smallest set of filters without which a candidate could serve; among equals the one with most
 * filters of the request, which the caller can change. Empty when there were no candidates.
 */
export const findSmallestRelaxation = (
  rejected: ReadonlyArray<RejectedCandidate>
): ReadonlyArray<ActiveFilter> => {
  const sets = rejected.map(({ reasons }) => toFilters(reasons))
  const [first, ...others] = sets
  return others.reduce((best, set) => (isEasier(set, best) ? set : best), first ?? [])
}

const isEasier = (self: ReadonlyArray<ActiveFilter>, that: ReadonlyArray<ActiveFilter>): boolean =>
  self.length < that.length ||
  (self.length === that.length && countRequestFilters(self) > countRequestFilters(that))

const countRequestFilters = (filters: ReadonlyArray<ActiveFilter>): number =>
  filters.filter(({ source }) => source === "request").length

const toFilters = (reasons: RejectedCandidate["reasons"]): ReadonlyArray<ActiveFilter> =>
  Array.from(
    new Map(
      reasons.map(({ rule, source, wanted }) => [
        toKey({ rule, source, wanted }),
        { rule, source, wanted }
      ])
    ).values()
  )

/** One rule may occur several times, such as the parts of `max_price`. */
const toKey = ({ rule, source, wanted }: ActiveFilter): string => `${rule}\n${source}\n${wanted}`
