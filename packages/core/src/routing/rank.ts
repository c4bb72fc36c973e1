/** Puts candidates in the order in which they are tried. */
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import type { Candidate } from "./Candidate.ts"
import { expectations, latency, type Metric, throughput, validShare } from "./expectation.ts"
import type { Sort } from "./Preferences.ts"
import { refusedLately } from "./refusedLately.ts"
import type { Standing } from "./standing.ts"
import type { Choices, Strategy } from "./Strategy.ts"

/** A candidate with all that decides where it stands. */
export interface Ranked {
  readonly candidate: Candidate
  readonly standing: Standing
  /** Estimated USD of the request there. */
  readonly cost: number
  /** Which part of the list it belongs to: the place of its model, or 0 when models are not kept apart. */
  readonly part: number
  readonly turn: Turn
  /** How far back it comes in the list: as it stands, unless its turn says otherwise. */
  readonly level: number
  /** Its place in `order`; behind all of them when it is not listed. */
  readonly place: number
  /** What a `sort` compares, smaller first. */
  readonly key: number
}

/** Before shared capacity, shared capacity itself, after it; what lies between is for what was refused lately. */
export type Turn = -2 | -1 | 0 | 1 | 2

export const turnOf = ({ credential, id }: Candidate, { endpoints }: HealthSnapshot): Turn => {
  if (credential === undefined) return 0
  const isRefused = refusedLately(endpoints[id])
  if (credential.isFallback) return isRefused ? 2 : 1
  return isRefused ? -1 : -2
}

/**
 * A customer's own credentials keep their turn within their part, whatever is measured of the endpoint:
 * the prioritised ones come before the foremost of shared capacity, fallbacks after the last of it.
 */
export const inTurn = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  let last = 0
  for (const { level, turn } of ranked) if (turn === 0) last = Math.max(last, level)
  return ranked.map((each) =>
    each.turn === 0 ? each : { ...each, level: each.turn < 0 ? 0 : last }
  )
}

/**
 * What stands further back comes later; among equals the listed come first, then the sort decides, then
 * the price. `isAcross` lets standing outweigh the order of the models.
 */
export const inOrder = (
  candidates: ReadonlyArray<Ranked>,
  isAcross: boolean
): ReadonlyArray<Ranked> =>
  // Most requests leave it to the price alone, and comparing is what a plan spends its time on.
  candidates.toSorted(candidates.every(isOrdinary) ? byCost : byAll(isAcross))

const isOrdinary = ({ key, level, part, place, turn }: Ranked): boolean =>
  part === 0 && level === 0 && place === 0 && key === 0 && turn === 0

const byCost = (self: Ranked, that: Ranked): number => ascending(self.cost, that.cost)

const byAll =
  (isAcross: boolean) =>
  (self: Ranked, that: Ranked): number => {
    const parts = self.part - that.part
    const levels = self.level - that.level
    return (
      (isAcross ? levels || parts : parts || levels) ||
      self.turn - that.turn ||
      byCredential(self, that) ||
      self.place - that.place ||
      ascending(self.key, that.key) ||
      byCost(self, that)
    )
  }

/** Of one turn: by the order of its credentials, then as they stand. */
const byCredential = (self: Ranked, that: Ranked): number =>
  (self.candidate.credential?.sortOrder ?? 0) - (that.candidate.credential?.sortOrder ?? 0) ||
  self.standing.level - that.standing.level

const ascending = (self: number, that: number): number => (self < that ? -1 : self > that ? 1 : 0)

export interface Draw {
  readonly part: number
  readonly strategy: Strategy
  readonly health: HealthSnapshot
  readonly minSamples: number
  readonly random: () => number
  /** Told what a strategy throws, or that it chooses nobody there is. */
  readonly broke: (defect: unknown) => void
}

/**
 * The strategy says who of the foremost of a part goes first; the others keep their order. All of them keep it
 * where the strategy, which may be the host's own, breaks.
 */
export const withFirstDrawn = (
  ranked: ReadonlyArray<Ranked>,
  { broke, health, minSamples, part, random, strategy }: Draw
): ReadonlyArray<Ranked> => {
  const start = ranked.findIndex((each) => each.part === part && each.turn === 0)
  const foremost = ranked[start]
  if (foremost === undefined) return ranked
  const end = ranked.findIndex(
    (each, i) =>
      i > start && (each.part !== part || each.turn !== 0 || each.level !== foremost.level)
  )
  const contenders = ranked.slice(start, end === -1 ? ranked.length : end)
  if (contenders.length === 1) return ranked
  let expected: ReturnType<typeof expectations> | undefined
  const choices: Choices<Ranked> = {
    contenders,
    latency: ({ candidate }) => {
      expected ??= expectations(
        ranked.filter((each) => each.part === part).map((each) => each.candidate),
        health,
        latency,
        minSamples
      )
      return expected(candidate)
    },
    random
  }
  let first: Ranked
  try {
    first = strategy.first(choices)
  } catch (defect) {
    broke(defect)
    return ranked
  }
  if (first === foremost) return ranked
  if (!contenders.includes(first)) {
    broke(new TypeError("it chose nobody of the contenders"))
    return ranked
  }
  return ranked.toSpliced(ranked.indexOf(first), 1).toSpliced(start, 0, first)
}

/** What a sort compares, smaller first; what nobody has measured comes last. */
export const sortKey = (
  sort: Sort | undefined,
  candidates: ReadonlyArray<Candidate>,
  health: HealthSnapshot,
  minSamples: number
): ((candidate: Candidate) => number) => {
  if (sort === undefined || sort === "price") return () => 0
  const { metric, sign } = metrics[sort]
  const expected = expectations(candidates, health, metric, minSamples)
  return (candidate) => {
    const value = expected(candidate)
    return value === undefined ? Number.POSITIVE_INFINITY : sign * value
  }
}

const metrics: Readonly<
  Record<Exclude<Sort, "price">, { readonly metric: Metric; readonly sign: 1 | -1 }>
> = {
  latency: { metric: latency, sign: 1 },
  throughput: { metric: throughput, sign: -1 },
  exacto: { metric: validShare, sign: -1 }
}
