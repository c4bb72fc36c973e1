/** What a strategy chooses from, for tests: contenders with a price, a recent latency and attempts under way. */
import fc from "fast-check"
import type {
  Contender,
  StrategyInput
} from "../../../../src/routing/plan/strategies/strategies.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"

export interface LoadedContender extends Contender {
  readonly recent: number | undefined
  readonly inFlight: number
}

export const makeContender = (
  tag: string,
  cost: number,
  recent: number | undefined,
  inFlight: number
): LoadedContender => ({
  candidate: makePricedCandidate(tag, Number.isFinite(cost) ? cost : undefined),
  cost,
  recent,
  inFlight
})

export const makeChoices = (
  contenders: ReadonlyArray<LoadedContender>,
  random: () => number
): StrategyInput<LoadedContender> => ({
  contenders,
  latency: ({ recent }) => recent,
  recent: ({ recent }) => recent,
  inFlight: ({ inFlight }) => inFlight,
  random
})

const contender = fc.tuple(
  fc.constantFrom(0, 1, 1, 1.5, 2, 3, Infinity),
  fc.option(fc.constantFrom(50, 100, 200, 4_000), { nil: undefined, freq: 5 }),
  fc.nat(20)
)

/** Cheapest first, as a plan passes them. */
export const anyContenders: fc.Arbitrary<ReadonlyArray<LoadedContender>> = fc
  .array(contender, { minLength: 2, maxLength: 8 })
  .map((all) =>
    all
      .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
      .map(([cost, recent, inFlight], index) => makeContender(`p${index}`, cost, recent, inFlight))
  )

/** A draw from [0, 1). */
export const anyDraw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
