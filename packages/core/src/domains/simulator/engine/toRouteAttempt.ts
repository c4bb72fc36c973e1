/** A simulated call as the attempt of a route. */
import type { RouteAttempt } from "../../../routing/attempt/RouteAttempt.ts"
import { classifyResponse } from "../../../engine/upstreams/failures/toResponseFailure.ts"
import { UpstreamFailure } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import type { RecordedRequest } from "../recording/RecordedRequest.ts"
import type { RunningCall, SimulatedAnswer } from "./SimulationRun.ts"

const toTimeout = (isLast: boolean): UpstreamFailure =>
  new UpstreamFailure({ kind: "timeout", phase: isLast ? "total" : "attempt" })

const toFailure = ({ kind, status }: SimulatedAnswer): UpstreamFailure | undefined =>
  status === 200
    ? undefined
    : new UpstreamFailure({
        kind: kind ?? (status === 0 ? "unreachable" : classifyResponse(status, undefined)),
        ...(status === 0 ? undefined : { status })
      })

/** How a call ended; without an answer, it was cut off by its timeout. */
export const toRouteAttempt = (
  { completion_tokens: outputTokens, prompt_tokens: inputTokens }: RecordedRequest,
  { candidate, isLast, startedAt }: RunningCall,
  endedAt: number,
  answered: SimulatedAnswer | undefined
): RouteAttempt => {
  const failure = answered === undefined ? toTimeout(isLast) : toFailure(answered)
  return {
    candidate,
    chargedAt: startedAt,
    startedAt,
    latencyMillis: endedAt - startedAt,
    ...(failure === undefined ? { usage: { inputTokens, outputTokens } } : { failure }),
    ...(answered?.firstMillis === undefined
      ? undefined
      : { firstEventMillis: answered.firstMillis })
  }
}
