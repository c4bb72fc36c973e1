/**
 * The router's one decision, as a pure function: serving, dry run, explanation and simulation all
 * call it. No I/O, no clock, no randomness of its own.
 */
import type * as Arr from "effect/Array"
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import { admit } from "./admit.ts"
import type { Barred } from "./Barred.ts"
import type { Candidate } from "./Candidate.ts"
import type { Constraint } from "./Constraint.ts"
import type { Demand } from "./Demand.ts"
import { type Dropped, droppedParameters } from "./droppedParameters.ts"
import { hardRules, rejections } from "./eligible.ts"
import { equipped } from "./equipped.ts"
import { estimatedCost } from "./estimatedCost.ts"
import type { Preferences, Sort } from "./Preferences.ts"
import { seeded } from "./random.ts"
import { inOrder, inTurn, type Ranked, sortKey, turnOf, withFirstDrawn } from "./rank.ts"
import type { Demoted, Rejected } from "./Rejected.ts"
import type { RequestedModel } from "./RequestedModel.ts"
import { slugList } from "./slugList.ts"
import { standingOf } from "./standing.ts"
import { stated } from "./stated.ts"
import type { Strategy } from "./Strategy.ts"
import { takes } from "./takes.ts"
import { thresholdsOf } from "./thresholds.ts"

/** In which order candidates are tried, and why the others are not. */
export interface Plan {
  readonly ordered: ReadonlyArray<Candidate>
  /** Those of `ordered` that stand further back than they would, and why. */
  readonly demoted: ReadonlyArray<Demoted>
  readonly rejected: ReadonlyArray<Rejected>
  /** What put them in order: `order`, `sort:...`, or the name of the strategy. */
  readonly strategy: string
  /** What the strategy threw; the cheapest goes first then. */
  readonly strategyDefect?: unknown
  /** What of the request those of `ordered` are not sent; absent: they are sent everything. */
  readonly dropped?: ReadonlyArray<Dropped>
  /** Blocked, but the only one left: it is asked without waiting for a probe. */
  readonly lastResort?: Candidate
}

export interface PlanInput {
  /** The model asked for and those to fall back to, in order. */
  readonly models: Arr.NonEmptyReadonlyArray<RequestedModel>
  readonly candidates: ReadonlyArray<Candidate>
  readonly preferences: Preferences
  readonly constraints: ReadonlyArray<Constraint>
  readonly demand: Demand
  readonly health: HealthSnapshot
  /** Samples below which a measurement neither ranks nor demotes. */
  readonly minSamples: number
  readonly seed: number
  readonly strategy: Strategy
  /** The sort of models for which the request asks none, neither by itself nor by an `order`. */
  readonly defaultSort?: Sort
  /** The id of the only candidate that may serve, for work that must stay where it began. */
  readonly pin?: string
  /** Shared capacity that customers' own credentials bar; absent: none. */
  readonly barred?: Barred
}

export const plan = (input: PlanInput): Plan => {
  const { demand, health, minSamples, models, preferences, strategy } = input
  const random = seeded(input.seed)
  const rules = hardRules(input)
  const rejected: Array<Rejected> = []
  const eligible: Array<Candidate> = []
  for (const candidate of askedByTier(input)) {
    const reasons = rejections(candidate, rules)
    if (reasons.length > 0) rejected.push({ candidate, reasons })
    else eligible.push(candidate)
  }
  const { admitted, blocked, lastResort } = admit(equipped(eligible, demand, rejected), health)
  rejected.push(...blocked)

  const order = stated(preferences.order)
  const listed = order === undefined ? undefined : slugList(order)
  const thresholds = thresholdsOf(preferences)
  const parts = partsOf(
    admitted,
    models,
    preferences,
    order === undefined ? (sortOfTier(demand) ?? input.defaultSort) : undefined
  )
  const candidates = parts.flatMap(({ candidates, sort }, part) => {
    const byCondition = order === undefined && sort === undefined
    const standing = { byCondition, health, minSamples, random, thresholds }
    const key = sortKey(sort, candidates, health, minSamples)
    let isShared = true
    const ranked = candidates.map((candidate): Ranked => {
      const stands = standingOf(candidate, standing)
      const turn = turnOf(candidate, health)
      isShared &&= turn === 0
      return {
        candidate,
        cost: estimatedCost(candidate, demand),
        part,
        turn,
        level: stands.level,
        place: listed?.placeOf(candidate) ?? tierPlace(candidate, demand),
        key: key(candidate),
        standing: stands
      }
    })
    return isShared ? ranked : inTurn(ranked)
  })
  // A missed preference may promote another model's endpoint.
  let ranked = inOrder(candidates, thresholds.length > 0)
  let broken: { readonly strategyDefect: unknown } | undefined
  const broke = (strategyDefect: unknown): void => {
    broken = { strategyDefect }
  }
  for (const [part, { sort }] of parts.entries()) {
    if (order === undefined && sort === undefined) {
      ranked = withFirstDrawn(ranked, {
        part,
        strategy,
        health,
        minSamples,
        random,
        broke
      })
    }
  }
  const kept = order === undefined ? onlyBest(ranked, preferences, rejected) : ranked
  const ordered = kept.map(({ candidate }) => candidate)
  const dropped = droppedParameters(ordered, demand)
  return {
    ordered,
    demoted: kept
      .filter(({ standing }) => standing.reasons.length > 0)
      .map(({ candidate, standing: { reasons } }) => ({ candidate, reasons })),
    rejected,
    strategy: strategyOf(order, parts[0]?.sort, strategy, broken !== undefined),
    ...broken,
    ...(dropped.length === 0 ? undefined : { dropped }),
    ...(lastResort === undefined ? undefined : { lastResort })
  }
}

interface Part {
  readonly candidates: ReadonlyArray<Candidate>
  readonly sort: Sort | undefined
}

/** `partition: none` makes one list over all models; otherwise each model's endpoints stay together. */
const partsOf = (
  candidates: ReadonlyArray<Candidate>,
  models: PlanInput["models"],
  preferences: Preferences,
  otherwise: Sort | undefined
): ReadonlyArray<Part> => {
  const [primary] = models
  if (models.length === 1 || isAcrossModels(preferences)) {
    return [{ candidates, sort: sortOf(preferences, primary) ?? otherwise }]
  }
  const named = new Map(models.toReversed().map((model) => [model.id, model]))
  return Array.from(new Set(models.map(({ id }) => id)), (id) => ({
    candidates: candidates.filter(({ endpoint }) => endpoint.model === id),
    sort: sortOf(preferences, named.get(id)!) ?? otherwise
  }))
}

const isAcrossModels = ({ sort }: Preferences): boolean =>
  typeof sort === "object" && sort !== null && sort.partition === "none"

/**
 * What the endpoints of a model are sorted by; undefined when the choice is left to the strategy. What
 * the request states wins over the suffix of the model.
 */
const sortOf = ({ sort }: Preferences, { variant }: RequestedModel): Sort | undefined => {
  const stated = typeof sort === "string" ? sort : sort?.by
  return stated ?? (variant === undefined ? undefined : sortOfVariant[variant])
}

/** Whoever asks for a service tier means it by its provider's own names too. */
const askedByTier = ({ candidates, demand: { tier } }: PlanInput): ReadonlyArray<Candidate> =>
  tier === undefined
    ? candidates
    : candidates.map((candidate) =>
        candidate.endpoint.tier === tier
          ? { ...candidate, names: candidate.providerNames }
          : candidate
      )

/** Who takes the service tier that is asked for comes before who does not. */
const tierPlace = ({ endpoint }: Candidate, { tier }: Demand): number =>
  tier === undefined || takes(endpoint, "service_tier", tier) === true ? 0 : 1

/** Whoever asks for a service tier asks for what it is bought for. */
const sortOfTier = ({ tier }: Demand): Sort | undefined =>
  tier && ({ flex: "price", priority: "throughput" } as const)[tier]

const sortOfVariant = { nitro: "throughput", floor: "price", exacto: "exacto" } as const

/** `allow_fallbacks: false` without an `order` leaves the single best. */
const onlyBest = (
  ranked: ReadonlyArray<Ranked>,
  { allow_fallbacks }: Preferences,
  rejected: Array<Rejected>
): ReadonlyArray<Ranked> => {
  if (allow_fallbacks !== false) return ranked
  for (const { candidate } of ranked.slice(1)) {
    rejected.push({
      candidate,
      reasons: [
        {
          rule: "allow_fallbacks",
          source: "request",
          wanted: "the best endpoint only",
          found: candidate.endpoint.tag
        }
      ]
    })
  }
  return ranked.slice(0, 1)
}

const strategyOf = (
  order: ReadonlyArray<string> | undefined,
  sort: Sort | undefined,
  { name }: Strategy,
  isBroken: boolean
): string => {
  if (order !== undefined) return "order"
  if (sort !== undefined) return `sort:${sort}`
  return isBroken ? `${name} (broken)` : name
}
