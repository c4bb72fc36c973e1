/** Two attempts of one request; the first to answer wins. The other is cut off and never reaches the caller. */
import * as SlidingWindow from "../../../engine/health/SlidingWindow.ts"
import * as Histogram from "../../../values/Histogram.ts"
import type { RouteAttempt } from "../RouteAttempt.ts"

export class Race {
  readonly first = new RaceEntry(this, false)
  readonly second = new RaceEntry(this, true)
  winner: RaceEntry | undefined = undefined
  /** Called once, as soon as the race is decided. */
  onDecided: ((winner: RaceEntry) => void) | undefined = undefined

  /** The attempts that ended, the one that decided the race last. */
  listAttempts(): ReadonlyArray<RouteAttempt> {
    return this.listEntries().flatMap(({ attempted }) => attempted ?? [])
  }

  /** The winner last, because the last attempt of a record is the one that served. */
  listEntries(): readonly [RaceEntry, RaceEntry] {
    return this.winner === this.first ? [this.second, this.first] : [this.first, this.second]
  }
}

/** The part of one attempt in a race. */
export class RaceEntry {
  readonly isHedge: boolean
  /** When the provider was called, in milliseconds since the epoch; undefined: not yet. */
  startedAt: number | undefined = undefined
  /** The attempt, once it has ended. */
  attempted: RouteAttempt | undefined = undefined
  readonly #race: Race

  constructor(race: Race, isHedge: boolean) {
    this.#race = race
    this.isHedge = isHedge
  }

  /** Wins unless the other has won. Whether this one is the winner. */
  claim(): boolean {
    const race = this.#race
    if (race.winner === undefined) {
      race.winner = this
      race.onDecided?.(this)
    }
    return race.winner === this
  }

  get isBeaten(): boolean {
    const { winner } = this.#race
    return winner !== undefined && winner !== this
  }
}

/** The times to the first events of the last minute: a pure fold, and their quantiles. */
export type FirstEventWindow = SlidingWindow.SlidingWindow<Histogram.Histogram>

const windowMillis = 60_000
/** A quantile of fewer is not used. */
const minSamples = 20

const bySeconds: SlidingWindow.BucketAggregator<Histogram.Histogram, number> = {
  bucketMillis: 5_000,
  empty: Histogram.empty,
  add: Histogram.add,
  merge: Histogram.merge
}

export const empty: FirstEventWindow = SlidingWindow.empty

export const add = (window: FirstEventWindow, millis: number, at: number): FirstEventWindow =>
  SlidingWindow.add(bySeconds, window, millis, at, windowMillis)

/** In milliseconds; undefined while there are too few. */
export const getQuantile = (
  window: FirstEventWindow,
  quantile: number,
  now: number
): number | undefined => {
  const recent = SlidingWindow.total(bySeconds, window, now, windowMillis)
  return recent.count < minSamples ? undefined : Histogram.getQuantile(recent, quantile)
}
