/** Small recordings for tests of simulations. */
import type { RecordedRequest } from "../../../src/domains/simulator/recording/RecordedRequest.ts"
import type { SimulatedModel } from "../../../src/domains/simulator/simulate.ts"

export const model: SimulatedModel = {
  id: "a/b",
  endpoints: [
    { provider: "cheap", price: { prompt: "0.000001", completion: "0.000002" } },
    { provider: "fast", price: { prompt: "0.000002", completion: "0.000004" } }
  ]
}

interface Answer {
  readonly at: number
  readonly endpoint?: string
  readonly status?: number
  readonly first?: number
  readonly whole?: number
}

/** A request with one attempt; by default answered by `cheap` after 100 ms, in 1 s. */
export const recorded = ({
  at,
  endpoint = "cheap",
  first = 100,
  status = 200,
  whole = 1_000
}: Answer): RecordedRequest => ({
  at,
  model: "a/b",
  prompt_tokens: 1_000,
  completion_tokens: 100,
  attempts: [
    {
      endpoint: `a/b@${endpoint}`,
      at,
      status,
      ...(status === 200 ? { first_ms: first } : undefined),
      whole_ms: status === 200 ? whole : first
    }
  ]
})

/** One request every second, in turns at `cheap` (300 ms) and `fast` (100 ms). */
export const alternating = (seconds: number): ReadonlyArray<RecordedRequest> =>
  Array.from({ length: seconds }, (_, second) =>
    second % 2 === 0
      ? recorded({ at: 1_000 * second, endpoint: "cheap", first: 300 })
      : recorded({ at: 1_000 * second, endpoint: "fast", first: 100 })
  )
