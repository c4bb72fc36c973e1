/** Ranks candidates in the order in which they are tried. */
import type { HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
import type { Candidate } from "../../Candidate.ts"
import {
  makePerformanceEstimator,
  latencyMetric,
  type Metric,
  recentLatencyMetric,
  throughputMetric,
  validAnswerShare
} from "./expectedPerformance.ts"
import type { ProviderSort } from "../../Preferences.ts"
import { isRecentlyRefused, type Penalty } from "./computePenalty.ts"
import type { Strategy, StrategyInput } from "../strategies/strategies.ts"

/** A candidate with everything that decides its rank. */
export interface RankedCandidate {
  readonly candidate: Candidate
  readonly penalty: Penalty
  /** The estimated cost of the request in USD. */
  readonly cost: number
  /** The position of its model in the request, or 0 when models are ranked together. */
  readonly group: number
  readonly credentialPriority: CredentialPriority
  /** Its penalty, unless the priority of its credential overrides it. */
  readonly effectivePenalty: number
  /** Its position in `order`; last when it is not listed. */
  readonly orderIndex: number
  /** What a `sort` compares, smaller first. */
  readonly sortKey: number
}

/** Before, at or after shared capacity; the values between are for recently refused credentials. */
export type CredentialPriority = -2 | -1 | 0 | 1 | 2

export const toCredentialPriority = (
  { credential, id }: Candidate,
  { endpoints }: HealthSnapshot
): CredentialPriority => {
  if (credential === undefined) return 0
  const isRefused = isRecentlyRefused(endpoints[id])
  if (credential.isFallback) return isRefused ? 2 : 1
  return isRefused ? -1 : -2
}

/**
 * A customer's own credentials keep their priority within their group, even when their endpoint is unhealthy:
 * prioritised credentials come before all shared capacity, fallbacks after it.
 */
export const byPriority = (
  ranked: ReadonlyArray<RankedCandidate>
): ReadonlyArray<RankedCandidate> => {
  let last = 0
  for (const { effectivePenalty, credentialPriority } of ranked)
    if (credentialPriority === 0) last = Math.max(last, effectivePenalty)
  return ranked.map((each) =>
    each.credentialPriority === 0
      ? each
      : { ...each, effectivePenalty: each.credentialPriority < 0 ? 0 : last }
  )
}

/**
 * Orders by penalty, credential, `order`, `sort` and price. With `isAcrossModels` the penalty outweighs the order of
 * the models.
 */
export const rankCandidates = (
  candidates: ReadonlyArray<RankedCandidate>,
  isAcrossModels: boolean
): ReadonlyArray<RankedCandidate> =>
  // Most requests are ranked by price alone, and comparisons take most of the time of a plan.
  sortCopy(
    candidates,
    candidates.every(isRankedByCostOnly)
      ? compareCost
      : isAcrossModels
        ? comparePenaltyFirst
        : compareModelFirst
  )

type Comparator = (self: RankedCandidate, that: RankedCandidate) => number

/** `toSorted` allocates several times what it returns, and most models have few endpoints. */
const maxInsertionSort = 16

const sortCopy = (
  candidates: ReadonlyArray<RankedCandidate>,
  compare: Comparator
): ReadonlyArray<RankedCandidate> => {
  if (candidates.length > maxInsertionSort) return candidates.toSorted(compare)
  const sorted = candidates.slice()
  for (let next = 1; next < sorted.length; next++) {
    const candidate = sorted[next]!
    let at = next
    for (; at > 0 && compare(sorted[at - 1]!, candidate) > 0; at--) sorted[at] = sorted[at - 1]!
    sorted[at] = candidate
  }
  return sorted
}

const isRankedByCostOnly = ({
  sortKey: key,
  effectivePenalty,
  group,
  orderIndex,
  credentialPriority
}: RankedCandidate): boolean =>
  group === 0 && effectivePenalty === 0 && orderIndex === 0 && key === 0 && credentialPriority === 0

const compareCost = (self: RankedCandidate, that: RankedCandidate): number =>
  compareNumbers(self.cost, that.cost)

const compareModelFirst: Comparator = (self, that) =>
  self.group - that.group ||
  self.effectivePenalty - that.effectivePenalty ||
  compareWithinPenalty(self, that)

const comparePenaltyFirst: Comparator = (self, that) =>
  self.effectivePenalty - that.effectivePenalty ||
  self.group - that.group ||
  compareWithinPenalty(self, that)

const compareWithinPenalty: Comparator = (self, that) =>
  self.credentialPriority - that.credentialPriority ||
  compareCredentials(self, that) ||
  self.orderIndex - that.orderIndex ||
  compareNumbers(self.sortKey, that.sortKey) ||
  compareCost(self, that)

/** Credentials of one priority: by their sort order, then by penalty. */
const compareCredentials = (self: RankedCandidate, that: RankedCandidate): number =>
  (self.candidate.credential?.sortOrder ?? 0) - (that.candidate.credential?.sortOrder ?? 0) ||
  self.penalty.level - that.penalty.level

const compareNumbers = (self: number, that: number): number =>
  self < that ? -1 : self > that ? 1 : 0

export interface StrategyDraw {
  readonly group: number
  readonly strategy: Strategy
  readonly health: HealthSnapshot
  readonly minSamples: number
  readonly random: () => number
  /** Receives what a strategy throws, or an error when it returns an unknown candidate. */
  readonly onDefect: (defect: unknown) => void
}

/** Positions in a ranking, `end` excluded. */
interface RankRange {
  readonly start: number
  readonly end: number
}

/** The candidates of a group that may be tried first: the shared ones of the lowest penalty. Undefined: none. */
export const findContenders = (
  ranked: ReadonlyArray<RankedCandidate>,
  group: number
): RankRange | undefined => {
  let start = 0
  while (start < ranked.length && !isContender(ranked[start]!, group)) start++
  const front = ranked[start]
  if (front === undefined) return undefined
  let end = start + 1
  while (
    end < ranked.length &&
    isContender(ranked[end]!, group) &&
    ranked[end]!.effectivePenalty === front.effectivePenalty
  ) {
    end++
  }
  return { start, end }
}

/** Moves a candidate of a ranking to the position `start`; the others keep their order. */
export const moveFirst = (
  ranked: ReadonlyArray<RankedCandidate>,
  start: number,
  first: RankedCandidate
): ReadonlyArray<RankedCandidate> => {
  if (first === ranked[start]) return ranked
  const reordered = ranked.slice()
  reordered.copyWithin(start + 1, start, ranked.indexOf(first))
  reordered[start] = first
  return reordered
}

/**
 * Moves the candidate that the strategy chooses to the front of its group; the others keep their order. When the
 * strategy, which may be the host's own, throws, all keep their order.
 */
export const applyStrategy = (
  ranked: ReadonlyArray<RankedCandidate>,
  { onDefect, health, minSamples, group, random, strategy }: StrategyDraw
): ReadonlyArray<RankedCandidate> => {
  const range = findContenders(ranked, group)
  if (range === undefined) return ranked
  const { end, start } = range
  if (end - start === 1) return ranked
  const contenders = ranked.slice(start, end)
  const makeEstimator = (metric: Metric) => {
    let estimate: ReturnType<typeof makePerformanceEstimator> | undefined
    return ({ candidate }: RankedCandidate): number | undefined => {
      estimate ??= makePerformanceEstimator(
        ranked.filter((each) => each.group === group).map((each) => each.candidate),
        health,
        metric,
        minSamples
      )
      return estimate(candidate)
    }
  }
  const choices: StrategyInput<RankedCandidate> = {
    contenders,
    latency: makeEstimator(latencyMetric),
    recent: makeEstimator(recentLatencyMetric),
    inFlight: ({ candidate }) => health.endpoints[candidate.id]?.inFlight ?? 0,
    random
  }
  let first: RankedCandidate
  try {
    first = strategy.first(choices)
  } catch (defect) {
    onDefect(defect)
    return ranked
  }
  if (!contenders.includes(first)) {
    onDefect(new TypeError("it did not choose one of the contenders"))
    return ranked
  }
  return moveFirst(ranked, start, first)
}

/** Whether a strategy may put it first: it is of the group, and on shared capacity. */
const isContender = (
  { credentialPriority, group }: RankedCandidate,
  wantedGroup: number
): boolean => group === wantedGroup && credentialPriority === 0

/** The value that a sort compares, smaller first; unmeasured candidates come last. */
export const makeSortKey = (
  sort: ProviderSort | undefined,
  candidates: ReadonlyArray<Candidate>,
  health: HealthSnapshot,
  minSamples: number
): ((candidate: Candidate) => number) => {
  if (sort === undefined || sort === "price") return toZero
  const { metric, sign } = sortMetrics[sort]
  const expected = makePerformanceEstimator(candidates, health, metric, minSamples)
  return (candidate) => {
    const value = expected(candidate)
    return value === undefined ? Number.POSITIVE_INFINITY : sign * value
  }
}

const toZero = (): number => 0

const sortMetrics: Readonly<
  Record<Exclude<ProviderSort, "price">, { readonly metric: Metric; readonly sign: 1 | -1 }>
> = {
  latency: { metric: latencyMetric, sign: 1 },
  throughput: { metric: throughputMetric, sign: -1 },
  exacto: { metric: validAnswerShare, sign: -1 }
}
