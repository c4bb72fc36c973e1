/** A strategy: the fastest candidate goes first, while a share of the requests explores the others. */
import type { Strategy } from "./Strategy.ts"

/** How much traffic explores other candidates. */
export interface LeastLatencyOptions {
  /** Share of the requests, 0 to 1, default 0.05, that draws among all candidates, to notice when a slow one becomes fast. */
  readonly explore?: number
  /** Candidates within this share of the best latency, default 0.1, are drawn evenly, so that the fastest is not overloaded. */
  readonly within?: number
}

/**
 * An unmeasured candidate is expected to perform like its peers; without any measurements all are drawn evenly. It
 * herds: most requests go to the candidate that was fastest in the last five minutes, even when many requests are under
 * way there, so under load its queue grows. `balanced()` and `hotCold()` also consider requests under way.
 */
export const leastLatency = ({
  explore = 0.05,
  within = 0.1
}: LeastLatencyOptions = {}): Strategy => ({
  name: "least-latency",
  first: ({ contenders, latency, random }) => {
    const expected = contenders.map((contender) => latency(contender) ?? Number.POSITIVE_INFINITY)
    const best = Math.min(...expected)
    // A replayed snapshot may hold any number, but the best candidate must always be in the draw.
    const bound = Math.max(best, best * (1 + within))
    const drawnFrom =
      random() < explore ? contenders : contenders.filter((_, i) => expected[i]! <= bound)
    return drawnFrom[Math.floor(random() * drawnFrom.length)]!
  }
})
