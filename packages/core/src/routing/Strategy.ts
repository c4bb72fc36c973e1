/** How the first candidate is chosen when a request asks for no order: a pure function of its input. */
import type { Candidate } from "./Candidate.ts"

export interface Choices {
  /** Candidates in good health, cheapest first; never empty. */
  readonly candidates: ReadonlyArray<Candidate>
  /** Estimated USD of the request at a candidate, Infinity when unknown. */
  readonly cost: (candidate: Candidate) => number
  /** Draws from [0, 1), seeded. */
  readonly random: () => number
}

export interface Strategy {
  readonly name: string
  /** The one to try first; the others follow in the order given. */
  readonly first: (choices: Choices) => Candidate
}
