/** Four endpoints that answer quickly, except that a share of their requests stalls before the first event. */
import type { AnswerCall, SimulatedAnswer, SimulatedModel } from "@signalbox/core/simulator"
import type { Traffic } from "./loadTraffic.ts"

/** Milliseconds to the first event: the median, and the deviation of its logarithm. */
const median = 150
const sigma = 0.25
/** A stall lasts Pareto(least, alpha) milliseconds more, at most a minute. */
const least = 850
const alpha = 1.6
const maxMillis = 60_000
const tokensPerSecond = 90

export interface StallingTraffic {
  readonly models: ReadonlyArray<SimulatedModel>
  readonly answer: AnswerCall
}

/** The arrivals, lengths and prices come from `traffic`; the answers of each endpoint follow from `seed`. */
export const makeStallingTraffic = (
  { models, requests }: Pick<Traffic, "models" | "requests">,
  share: number,
  seed: number
): StallingTraffic => {
  const answers = new Map<string, ReadonlyArray<SimulatedAnswer>>(
    models.flatMap(({ endpoints, id }) =>
      endpoints.map(({ provider }, index) => {
        const random = makeRandom(seed * 1_000 + index)
        const normal = (): number =>
          Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
        const column = requests.map(({ completion_tokens: tokens }): SimulatedAnswer => {
          // Always the same draws, so that the share changes nothing else.
          const [isStalled, base, wait] = [
            random() < share,
            median * Math.exp(sigma * normal()),
            Math.min(least * (1 - random()) ** (-1 / alpha), maxMillis)
          ]
          const firstMillis = Math.round(base + (isStalled ? wait : 0))
          const wholeMillis = Math.round(firstMillis + (1_000 * tokens) / tokensPerSecond)
          return { status: 200, firstMillis, wholeMillis }
        })
        return [`${id}@${provider}`, column] as const
      })
    )
  )
  return { models, answer: ({ endpoint, index }) => answers.get(endpoint)![index]! }
}

/** mulberry32. */
const makeRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
