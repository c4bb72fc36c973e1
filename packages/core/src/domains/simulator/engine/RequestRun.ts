/** One simulated request while its attempts run. */
import type { Candidate } from "../../../routing/Candidate.ts"
import type { RouteAttempt } from "../../../routing/attempt/RouteAttempt.ts"
import type { Plan } from "../../../routing/plan/plan.ts"
import type { RecordedRequest } from "../recording/RecordedRequest.ts"
import type { SimulatedRequest } from "./SimulationRun.ts"

export interface RequestRun {
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
  /** How many candidates of the plan were looked at. */
  position: number
  /** The best of the candidates whose probe another request holds. */
  unclaimed: Candidate | undefined
  /** After how many milliseconds a second attempt is started; undefined: never. */
  hedgeMillis: number | undefined
  /** The candidate of that second attempt. */
  hedgedId: string | undefined
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
