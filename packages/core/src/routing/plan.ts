/**
 * The router's one decision, as a pure function: serving, dry run, explanation and simulation all
 * call it. No I/O, no clock, no randomness of its own.
 */
import type * as Arr from "effect/Array"
import type { HealthSnapshot } from "../health/HealthSnapshot.ts"
import type { ModelSlug } from "../values/ModelSlug.ts"
import type { Candidate } from "./Candidate.ts"
import type { Constraint } from "./Constraint.ts"
import type { Demand } from "./Demand.ts"
import { hardRules, rejections } from "./eligible.ts"
import { matchesSlug } from "./matchesSlug.ts"
import type { Preferences } from "./Preferences.ts"
import { seeded } from "./random.ts"
import { rank, sortOf } from "./rank.ts"
import type { Reason } from "./Reason.ts"
import type { Strategy } from "./Strategy.ts"

export interface Rejected {
  readonly candidate: Candidate
  /** Every rule it fails; never empty. */
  readonly reasons: ReadonlyArray<Reason>
}

/** In which order candidates are tried, and why the others are not. */
export interface Plan {
  readonly ordered: ReadonlyArray<Candidate>
  readonly rejected: ReadonlyArray<Rejected>
  /** What put them in order: `order`, `sort:...`, or the name of the strategy. */
  readonly strategy: string
}

export interface PlanInput {
  /** The model asked for and those to fall back to, in order. */
  readonly models: Arr.NonEmptyReadonlyArray<ModelSlug>
  readonly candidates: ReadonlyArray<Candidate>
  readonly preferences: Preferences
  readonly constraints: ReadonlyArray<Constraint>
  readonly demand: Demand
  readonly health: HealthSnapshot
  readonly seed: number
  readonly strategy: Strategy
  /** The id of the only endpoint that may serve, for work that must stay where it began. */
  readonly pin?: string
}

export const plan = (input: PlanInput): Plan => {
  const { constraints, demand, models, pin, preferences } = input
  const rules = hardRules(preferences, constraints, demand)
  const random = seeded(input.seed)
  const rejected: Array<Rejected> = []
  const eligible: Array<Candidate> = []
  for (const candidate of input.candidates) {
    const reasons = rejections(candidate, rules)
    if (reasons.length > 0) rejected.push({ candidate, reasons })
    else if (pin !== undefined && candidate.endpoint.id !== pin) {
      rejected.push({
        candidate,
        reasons: [{ rule: "pin", source: "request", wanted: pin, found: candidate.endpoint.id }]
      })
    } else eligible.push(candidate)
  }
  const rankAll = (candidates: ReadonlyArray<Candidate>) =>
    rank({
      candidates,
      preferences,
      demand,
      health: input.health,
      strategy: input.strategy,
      random
    })
  const ranked =
    models.length === 1 || acrossModels(preferences)
      ? rankAll(eligible)
      : Array.from(new Set(models)).flatMap((model) =>
          rankAll(eligible.filter(({ endpoint }) => endpoint.model === model))
        )
  const ordered = withoutFallbacks(ranked, preferences, rejected)
  return { ordered, rejected, strategy: strategyOf(input) }
}

/** `partition: none` makes one list over all models; otherwise each model's endpoints stay together. */
const acrossModels = ({ sort }: Preferences): boolean =>
  typeof sort === "object" && sort !== null && sort.partition === "none"

/** `allow_fallbacks: false` leaves the listed ones of `order`, or the single best. */
const withoutFallbacks = (
  ranked: ReadonlyArray<Candidate>,
  { allow_fallbacks, order }: Preferences,
  rejected: Array<Rejected>
): ReadonlyArray<Candidate> => {
  if (allow_fallbacks !== false) return ranked
  const listed = order == null || order.length === 0 ? undefined : order
  const keeps = (candidate: Candidate): boolean =>
    listed?.some((slug) => matchesSlug(candidate, slug)) ?? candidate === ranked[0]
  for (const candidate of ranked) {
    if (keeps(candidate)) continue
    rejected.push({
      candidate,
      reasons: [
        {
          rule: "allow_fallbacks",
          source: "request",
          wanted: listed === undefined ? "the best endpoint only" : `one of ${listed.join(", ")}`,
          found: candidate.endpoint.tag
        }
      ]
    })
  }
  return ranked.filter(keeps)
}

const strategyOf = ({ preferences, strategy }: PlanInput): string => {
  if (preferences.order != null && preferences.order.length > 0) return "order"
  const sort = sortOf(preferences)
  return sort === undefined ? strategy.name : `sort:${sort}`
}
