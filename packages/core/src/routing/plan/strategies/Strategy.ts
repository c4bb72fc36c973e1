/** How the first candidate is chosen when a request sets no order: a pure function of its input. */
import type { Candidate } from "../../Candidate.ts"

/** A candidate that may be tried first. */
export interface Contender {
  readonly candidate: Candidate
  /** The estimated cost of the request in USD, Infinity when unknown. */
  readonly cost: number
}

/** What a strategy chooses from. */
export interface StrategyInput<A extends Contender = Contender> {
  /** The candidates without a penalty, cheapest first; never empty. */
  readonly contenders: ReadonlyArray<A>
  /** The expected median latency in milliseconds; undefined when neither the candidate nor a peer was measured. */
  readonly latency: (contender: A) => number | undefined
  /**
   * The recent latency in milliseconds, an average in which the last attempts count most; undefined when neither the
   * candidate nor a peer was measured.
   */
  readonly recent: (contender: A) => number | undefined
  /** Attempts under way at the candidate in this process. */
  readonly inFlight: (contender: A) => number
  /** Draws from [0, 1), seeded. */
  readonly random: () => number
}

/** Chooses the candidate that is tried first, such as `leastLatency()`. */
export interface Strategy {
  /** The reason for the order that records and explanations show. */
  readonly name: string
  /**
   * `inFlight` and `recent` must be up to date; absent: they may be a second old, which costs less for each request.
   */
  readonly readsLoad?: true
  /**
   * Returns the one of `contenders` to try first; the others follow, cheapest first. When it throws, the cheapest
   * goes first and the error is logged.
   */
  readonly first: <A extends Contender>(choices: StrategyInput<A>) => A
}
