/** How many requests are under way at each endpoint. */
import type { LoadFigures } from "../SimulationReport.ts"
import { getQuantile } from "./computeLatencyFigures.ts"

interface TimedAttempt {
  readonly endpoint: string
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number
}

/** By the id of the endpoint, over `millis` milliseconds. */
export const computeLoad = (
  attempts: ReadonlyArray<TimedAttempt>,
  millis: number
): ReadonlyMap<string, LoadFigures> =>
  new Map(
    Array.from(
      Map.groupBy(attempts, ({ endpoint }) => endpoint),
      ([endpoint, some]) => {
        const spent = some.reduce((sum, { endedAt, startedAt }) => sum + endedAt - startedAt, 0)
        const mean = millis > 0 ? spent / millis : 0
        return [endpoint, { mean, p99: getQuantile(listFound(some), 0.99) }]
      }
    )
  )

/** How many each attempt found under way, itself included, sorted. */
const listFound = (attempts: ReadonlyArray<TimedAttempt>): ReadonlyArray<number> => {
  const starts = attempts.map(({ startedAt }) => startedAt).toSorted((one, other) => one - other)
  const ends = attempts.map(({ endedAt }) => endedAt).toSorted((one, other) => one - other)
  let ended = 0
  return starts
    .map((at, index) => {
      while (ended < ends.length && ends[ended]! <= at) ended += 1
      return Math.max(1, index + 1 - ended)
    })
    .toSorted((one, other) => one - other)
}
