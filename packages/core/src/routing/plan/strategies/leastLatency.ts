/** A strategy: the fastest candidate goes first, and a share of the requests explores the others. */
import type { Strategy } from "./Strategy.ts"

/** How much traffic explores other candidates. */
export interface LeastLatencyOptions {
  /** Share of the requests, 0 to 1, default 0.05, that draws among all, so that a slow one can show that it became fast. */
  readonly explore?: number
  /** Candidates within this share of the best, default 0.1, take turns, so that the fastest is not overrun. */
  readonly within?: number
}

/** An unmeasured candidate is expected to perform like its peers; without measurements, all take turns. */
export const leastLatency = ({
  explore = 0.05,
  within = 0.1
}: LeastLatencyOptions = {}): Strategy => ({
  name: "least-latency",
  first: ({ contenders, latency, random }) => {
    const expected = contenders.map((contender) => latency(contender) ?? Number.POSITIVE_INFINITY)
    const best = Math.min(...expected)
    // A replayed snapshot and a host may say anything: the best is always among those that take turns.
    const bound = Math.max(best, best * (1 + within))
    const drawnFrom =
      random() < explore ? contenders : contenders.filter((_, i) => expected[i]! <= bound)
    return drawnFrom[Math.floor(random() * drawnFrom.length)]!
  }
})
