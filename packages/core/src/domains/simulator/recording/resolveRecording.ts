/** Prepares a recording for a replay: in the order of time, with the ids of endpoints, without models that are not there. */
import type { RecordedRequest } from "./RecordedRequest.ts"

/** `models`: those that are simulated. */
export const resolveRecording = (
  recording: Iterable<RecordedRequest>,
  models: ReadonlySet<string>
): { readonly requests: ReadonlyArray<RecordedRequest>; readonly skipped: number } => {
  const requests: Array<RecordedRequest> = []
  let skipped = 0
  for (const request of recording) {
    if (models.has(request.model)) requests.push(withEndpointIds(request))
    else skipped += 1
  }
  return { requests: requests.toSorted((one, other) => one.at - other.at), skipped }
}

/** An endpoint may be given by its tag alone. */
const withEndpointIds = (request: RecordedRequest): RecordedRequest =>
  request.attempts.every(({ endpoint }) => endpoint.includes("@"))
    ? request
    : {
        ...request,
        attempts: request.attempts.map((attempt) =>
          attempt.endpoint.includes("@")
            ? attempt
            : { ...attempt, endpoint: `${request.model}@${attempt.endpoint}` }
        )
      }
