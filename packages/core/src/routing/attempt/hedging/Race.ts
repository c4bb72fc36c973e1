/** Two attempts of one request; the first to answer wins. The other is cut off and never reaches the caller. */
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
  /** Whether the provider was called. */
  isStarted = false
  /** After how many milliseconds without an answer `onLate` is called, once. */
  lateMillis = Number.POSITIVE_INFINITY
  onLate: (() => void) | undefined = undefined
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
