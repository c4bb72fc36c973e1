/** One simulated request while its attempts run. */
import type { Candidate } from "../../../routing/Candidate.ts"
import type { RouteAttempt } from "../../../routing/attempt/RouteAttempt.ts"
import type { CandidateCursor } from "../../../routing/attempt/takeCandidate.ts"
import type { Plan } from "../../../routing/plan/plan.ts"
import type { RecordedRequest } from "../recording/RecordedRequest.ts"
import type { SimulatedRequest } from "./SimulationRun.ts"

export interface RequestRun extends CandidateCursor {
  readonly request: RecordedRequest
  readonly index: number
  readonly result: SimulatedRequest
  readonly plan: Plan
  readonly ordered: ReadonlyArray<Candidate>
  /** Its attempts under way: one, or two in a race. */
  readonly running: Set<RunningCall>
  readonly deadlineAt: number
  readonly random: () => number
  readonly attempts: Array<RouteAttempt>
  /** After how many milliseconds a second attempt is started; undefined: never. */
  hedgeMillis: number | undefined
  /** Whether no further candidate is tried. */
  isStopped: boolean
}

/** A call of an endpoint that has not ended. */
export interface RunningCall {
  readonly candidate: Candidate
  readonly startedAt: number
  readonly isLast: boolean
  readonly isHedge: boolean
}
