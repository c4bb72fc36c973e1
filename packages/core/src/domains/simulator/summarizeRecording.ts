/** What the recorded traffic itself was like, to set beside simulations of it. */
import type { RecordedRequest } from "./recording/RecordedRequest.ts"
import { computeLatencyFigures } from "./report/computeLatencyFigures.ts"
import type { LatencyFigures } from "./SimulationReport.ts"

/** The latencies that were recorded, by the time of the requests. */
export const summarizeRecording = (recording: Iterable<RecordedRequest>): LatencyFigures =>
  computeLatencyFigures(
    Array.from(recording, ({ at, attempts }) => {
      const answer = attempts.find(({ status }) => status === 200)
      return {
        at,
        ...(answer === undefined
          ? undefined
          : { answeredMillis: answer.at - at + (answer.first_ms ?? answer.whole_ms) })
      }
    }).toSorted((one, other) => one.at - other.at)
  )
