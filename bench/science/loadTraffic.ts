/** Synthetic traffic: what a router recorded of it, and what each endpoint would have answered to each request. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import {
  type AnswerCall,
  parseRecordedRequest,
  type RecordedRequest,
  type SimulatedAnswer,
  type SimulatedModel
} from "@signalbox/core/simulator"

const folder = join(import.meta.dirname, "../data/science/traffic")

interface EndpointFacts {
  readonly id: string
  readonly price: { readonly prompt: string; readonly completion: string }
  /** Requests under way from which each one more waits. */
  readonly queueAbove?: number
  /** Requests under way from which it answers 429. */
  readonly refuseAbove?: number
}

export interface Traffic {
  readonly models: ReadonlyArray<SimulatedModel>
  /** Recorded under the price-weighted draw: attempts only. */
  readonly recording: ReadonlyArray<RecordedRequest>
  /** The same requests in the order of the outcomes, for `answer`. */
  readonly requests: ReadonlyArray<RecordedRequest>
  /** What the endpoint would have answered, with the queue that the requests under way make. */
  readonly answer: AnswerCall
}

const queueMillis = 150
const refusalMillis = 50

export const loadTraffic = (): Traffic => {
  const facts: { readonly model: string; readonly endpoints: ReadonlyArray<EndpointFacts> } =
    JSON.parse(readFileSync(join(folder, "endpoints.json"), "utf8"))
  const columns = new Map(
    facts.endpoints.map((endpoint, index) => [
      `${facts.model}@${endpoint.id}`,
      { endpoint, first: 3 + 2 * index, whole: 4 + 2 * index }
    ])
  )
  const outcomes = readLines("outcomes.csv.gz")
    .slice(1)
    .map((line) => line.split(",").map(Number))
  return {
    models: [
      {
        id: facts.model,
        endpoints: facts.endpoints.map(({ id, price }) => ({ provider: id, price }))
      }
    ],
    recording: readLines("recorded.jsonl.gz").map((line) =>
      parseRecordedRequest(line, facts.model)
    ),
    requests: outcomes.map(([at = 0, prompt = 0, completion = 0]) => ({
      at,
      model: facts.model,
      prompt_tokens: prompt,
      completion_tokens: completion,
      // The timing of a stream, so that it ends like one; nothing is drawn from it.
      attempts: [{ endpoint: facts.endpoints[0]!.id, at, status: 200, first_ms: 0, whole_ms: 0 }]
    })),
    answer: ({ endpoint, inFlight, index }) => {
      const column = columns.get(endpoint)!
      const outcome = outcomes[index]!
      return withQueue(column.endpoint, inFlight, outcome[column.first]!, outcome[column.whole]!)
    }
  }
}

const readLines = (file: string): ReadonlyArray<string> =>
  gunzipSync(readFileSync(join(folder, file)))
    .toString("utf8")
    .trim()
    .split("\n")

/** A failure is a negative status in place of the time to the first event. */
const withQueue = (
  { queueAbove = Infinity, refuseAbove = Infinity }: EndpointFacts,
  inFlight: number,
  first: number,
  whole: number
): SimulatedAnswer => {
  if (inFlight >= refuseAbove) return { status: 429, wholeMillis: refusalMillis }
  if (first < 0) return { status: -first, wholeMillis: whole }
  const waited = queueMillis * Math.max(0, inFlight + 1 - queueAbove)
  return { status: 200, firstMillis: first + waited, wholeMillis: whole + waited }
}
