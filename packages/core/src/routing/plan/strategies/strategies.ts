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

/**
 * `draw` is from [0, 1). Free contenders, if there are any, share the draw evenly; one of unknown price is drawn only when
 * all are unknown. Undefined when only `except` could be drawn. `contenders` are cheapest first, and not empty.
 */
export const drawByPrice = <A extends Contender>(
  contenders: ReadonlyArray<A>,
  draw: number,
  except?: A
): A | undefined => {
  const lowestCost = contenders[0]!.cost
  let left = 0
  for (const each of contenders) if (each !== except) left += computeWeight(each.cost, lowestCost)
  left *= draw
  let fallback: A | undefined
  for (const each of contenders) {
    const weight = each === except ? 0 : computeWeight(each.cost, lowestCost)
    if (weight === 0) continue
    left -= weight
    if (left < 0) return each
    // The weights may add up to less than their sum.
    fallback ??= each
  }
  return fallback
}

/** Relative to the cheapest, so that tiny prices do not underflow. */
export const computeWeight = (cost: number, lowestCost: number): number => {
  if (cost === lowestCost) return 1
  return lowestCost === 0 || cost === Number.POSITIVE_INFINITY ? 0 : (lowestCost / cost) ** 2
}

/**
 * Draws two different candidates with probability proportional to 1 / price^2. The candidate with the smaller score
 * goes first; the score is the recent latency times the attempts under way plus one. The draw keeps the cost near that
 * of `priceWeighted`, and comparing only two keeps requests from all going to the one that looks best (the power of two
 * choices; Envoy and brpc have the same score). Without a measurement only the attempts under way are compared.
 */
export const balanced = (): Strategy => ({
  name: "balanced",
  readsLoad: true,
  first: (choices) => {
    const { contenders, random } = choices
    const [one, other] = [random(), random()]
    const first = drawByPrice(contenders, one) ?? contenders[0]!
    const second = drawByPrice(contenders, other, first)
    return second === undefined || !isSooner(choices, second, first) ? first : second
  }
})

const isSooner = <A extends Contender>(
  { inFlight, recent }: StrategyInput<A>,
  self: A,
  that: A
): boolean => {
  const [own, others] = [recent(self), recent(that)]
  const isKnown = own !== undefined && others !== undefined
  return (isKnown ? own : 1) * (inFlight(self) + 1) < (isKnown ? others : 1) * (inFlight(that) + 1)
}

/**
 * Free candidates, if there are any, share the draw evenly. A candidate of unknown price is drawn
 * only when all are unknown.
 */
export const priceWeighted: Strategy = {
  name: "price-weighted",
  first: ({ contenders, random }) => drawByPrice(contenders, random()) ?? contenders[0]!
}

/** When a candidate is too busy, and when it is too expensive. */
interface HotColdOptions {
  /** Candidates with more attempts under way than this quantile of all, 0 to 1, default 0.8, are hot. */
  readonly quantile?: number
  /** Candidates up to this many times as expensive as the cheapest, default 2, are considered. */
  readonly maxPremium?: number
}

/**
 * The rule of Prequal (NSDI 2024) without its probes: of the candidates within `maxPremium` of the cheapest, the cold one
 * with the smallest recent latency goes first; without measurements, the one with the fewest attempts under way. Of equals
 * the cheapest goes first.
 */
export const hotCold = ({ maxPremium = 2, quantile = 0.8 }: HotColdOptions = {}): Strategy => ({
  name: "hot-cold",
  readsLoad: true,
  first: ({ contenders, inFlight, recent }) => {
    const cheapest = contenders[0]!
    // A `maxPremium` below 1 must not exclude the cheapest itself.
    const affordable = contenders.filter(
      (each) => each === cheapest || each.cost <= cheapest.cost * maxPremium
    )
    const loads = affordable.map(inFlight)
    const busiest = findQuantile(loads, quantile)
    let best: { readonly millis: number; readonly load: number; readonly at: number } | undefined
    for (let at = 0; at < affordable.length; at++) {
      const load = loads[at]!
      if (load > busiest) continue
      const millis = recent(affordable[at]!) ?? Number.POSITIVE_INFINITY
      if (
        best === undefined ||
        millis < best.millis ||
        (millis === best.millis && millis === Number.POSITIVE_INFINITY && load < best.load)
      ) {
        best = { millis, load, at }
      }
    }
    return affordable[best?.at ?? 0]!
  }
})

/** The largest value that is not above the quantile, interpolated; never below the smallest value. */
const findQuantile = (values: ReadonlyArray<number>, quantile: number): number => {
  const sorted = values.toSorted((self, that) => self - that)
  const last = sorted.length - 1
  return sorted[Math.min(last, Math.max(0, Math.floor(quantile * last)))]!
}

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
