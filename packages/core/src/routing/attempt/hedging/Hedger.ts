/** When the requests of a process are hedged, and what its budget leaves. */
import type { HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
import type { Candidate } from "../../Candidate.ts"
import type { HedgingTraits } from "../../RouteWork.ts"
import { nonEmpty } from "../../Preferences.ts"
import type { PlannedRoute, RouteQuery } from "../../RouteQuery.ts"
import type { Plan } from "../../plan/plan.ts"
import {
  makePerformanceEstimator,
  recentLatencyMetric
} from "../../plan/ranking/expectedPerformance.ts"
import type { FirstEventTimes } from "../lateness/FirstEventTimes.ts"

const size = 10

/** How many requests may be hedged: a token bucket that requests fill, not time, so a bad day hedges no larger share. */
class HedgeBudget {
  readonly #share: number
  #tokens = size

  constructor(share: number) {
    this.#share = share
  }

  addRequest(): void {
    this.#tokens = Math.min(size, this.#tokens + this.#share)
  }

  /** Whether a request may be hedged, which it then is. */
  take(): boolean {
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** The hedge was not started after all. */
  giveBack(): void {
    this.#tokens = Math.min(size, this.#tokens + 1)
  }
}

/** How streams are hedged. */
export interface HedgingOptions {
  /**
   * The quantile of the first events of the model's endpoints in the last 60 s after which a second attempt is started, 0
   * to 1, default 0.95. With fewer than 20 of them none is started.
   */
  readonly quantile?: number
  /** The most second attempts, as a share of the requests that may have one, 0 to 1, default 0.08, beyond the first 10. */
  readonly share?: number
  /** No second attempt is started earlier, in milliseconds, default 50. */
  readonly leastMillis?: number
}

/** Throws a `RangeError` that names the invalid option. */
export const resolveHedging = (options: HedgingOptions): Required<HedgingOptions> => {
  const { leastMillis = 50, quantile = 0.95, share = 0.08 } = options
  if (!(quantile > 0 && quantile < 1)) {
    throw new RangeError(`hedging.quantile must be between 0 and 1, got ${quantile}`)
  }
  if (!(share >= 0 && share <= 1)) {
    throw new RangeError(`hedging.share must be from 0 to 1, got ${share}`)
  }
  if (!(leastMillis >= 0)) {
    throw new RangeError(`hedging.leastMillis must be 0 or more, got ${leastMillis}`)
  }
  return { leastMillis, quantile, share }
}

export class Hedger {
  readonly budget: HedgeBudget
  readonly #options: Required<HedgingOptions>
  readonly #firstEventTimes: FirstEventTimes

  constructor(options: HedgingOptions, firstEventTimes: FirstEventTimes) {
    this.#options = resolveHedging(options)
    this.#firstEventTimes = firstEventTimes
    this.budget = new HedgeBudget(this.#options.share)
  }

  /** Counts a request that may be hedged, and returns after how many whole milliseconds; undefined: too little is known. */
  beginRequest(kind: string, model: string, now: number): number | undefined {
    this.budget.addRequest()
    const { leastMillis, quantile } = this.#options
    const millis = this.#firstEventTimes.getQuantile(kind, model, quantile, now)
    return millis === undefined ? undefined : Math.ceil(Math.max(leastMillis, millis))
  }
}

/**
 * Never one that leaves no choice of the endpoint, and never work that may not be repeated; a whole answer, which
 * would be generated twice, only when the request asks for it.
 */
export const isHedgeable = (
  { pin, preferences }: Pick<RouteQuery<object>, "pin" | "preferences">,
  { plan }: Pick<PlannedRoute, "plan">,
  hedging: HedgingTraits | undefined
): boolean => {
  const { allow_fallbacks, hedge, order } = preferences
  return (
    hedging !== undefined &&
    (hedging.isDefault ? hedge !== false : hedge === true) &&
    plan.ordered.length > 1 &&
    allow_fallbacks !== false &&
    nonEmpty(order) === undefined &&
    pin === undefined
  )
}

/**
 * Another endpoint of the same model, without a penalty and with the same credential priority as `first`. Undefined
 * when there is no such endpoint, or when one of the two providers would charge for a whole answer although it is cut
 * off. `isOpen` says which endpoints may be tried; `health` is the current health.
 */
export const findHedgeTarget = (
  { demoted, ordered }: Pick<Plan, "demoted" | "ordered">,
  first: Candidate,
  isOpen: (candidate: Candidate) => boolean,
  health: HealthSnapshot,
  minSamples: number
): Candidate | undefined => {
  if (!first.endpoint.cancels) return undefined
  const estimate = makePerformanceEstimator(ordered, health, recentLatencyMetric, minSamples)
  let best: Candidate | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of ordered) {
    const { endpoint, id } = candidate
    if (
      endpoint.id === first.endpoint.id ||
      endpoint.model !== first.endpoint.model ||
      !endpoint.cancels ||
      toTurn(candidate) !== toTurn(first) ||
      demoted.some(({ candidate: moved }) => moved.id === id) ||
      !isOpen(candidate)
    ) {
      continue
    }
    const inFlight = health.endpoints[id]?.inFlight ?? 0
    const expected = (estimate(candidate) ?? Number.POSITIVE_INFINITY) * (inFlight + 1)
    if (best === undefined || expected < least) {
      best = candidate
      least = expected
    }
  }
  return best
}

/** Customers' own credentials come before or after shared capacity, never beside it. */
const toTurn = ({ credential }: Candidate): "shared" | "own" | "fallback" =>
  credential === undefined ? "shared" : credential.isFallback ? "fallback" : "own"
