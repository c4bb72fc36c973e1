/** How the first candidate is chosen when a request asks for no order: a pure function of its input. */
import type { Candidate } from "../../Candidate.ts"

export interface Contender {
  readonly candidate: Candidate
  /** Estimated USD of the request there, Infinity when unknown. */
  readonly cost: number
}

export interface StrategyInput<A extends Contender = Contender> {
  /** Those nothing speaks against, cheapest first; never empty. */
  readonly contenders: ReadonlyArray<A>
  /** Expected median latency in milliseconds, undefined when neither it nor a peer was measured. */
  readonly latency: (contender: A) => number | undefined
  /** Draws from [0, 1), seeded. */
  readonly random: () => number
}

export interface Strategy {
  /** Shown as the reason of the order, in records and explanations. */
  readonly name: string
  /**
   * The one to try first, out of `contenders`; the others follow cheapest first. Where it throws, the cheapest goes
   * first, and the log says why.
   */
  readonly first: <A extends Contender>(choices: StrategyInput<A>) => A
}
