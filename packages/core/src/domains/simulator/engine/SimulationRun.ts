/** What a simulation is made of, and what it comes to. */
import type { HealthSnapshot } from "../../../engine/health/HealthSnapshot.ts"
import type { FailureKind } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import type { Candidate } from "../../../routing/Candidate.ts"
import type { RouteAttempt } from "../../../routing/attempt/RouteAttempt.ts"
import type { HedgingOptions } from "../../../routing/attempt/hedging/Hedger.ts"
import type { CandidateCursor } from "../../../routing/attempt/takeCandidate.ts"
import type { Plan } from "../../../routing/plan/plan.ts"
import type { Strategy } from "../../../routing/plan/strategies/strategies.ts"
import type * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { RecordedRequest } from "../recording/RecordedRequest.ts"

export interface SimulationInput {
  /** In the order in which they came. */
  readonly requests: ReadonlyArray<RecordedRequest>
  /** The candidates of each model. A request for another model fails. */
  readonly candidates: ReadonlyMap<string, ReadonlyArray<Candidate>>
  readonly answer: AnswerCall
  readonly strategy: Strategy
  /** Absent: no request has two attempts at once. */
  readonly hedging?: HedgingOptions | undefined
  /** What operators ask of the endpoints, by id; absent: nothing. */
  readonly controls?: NonNullable<HealthSnapshot["controls"]>
  /** Draws of plans and answers follow from it. */
  readonly seed: number
  readonly settings: SettingsShape
}

/** A call of an endpoint in a simulation. */
export interface SimulatedCall {
  /** The id of the endpoint, `<model>@<tag>`. */
  readonly endpoint: string
  /** When it is called, in milliseconds since the epoch. */
  readonly at: number
  /** How many other requests are under way there. */
  readonly inFlight: number
  readonly request: RecordedRequest
  /** The place of the request in the recording, from 0. */
  readonly index: number
  /** Draws from [0, 1), seeded for each request. */
  readonly random: () => number
}

/** How a call ends. Times are in milliseconds from the call on. */
export interface SimulatedAnswer {
  /** 200 for an answer, else the HTTP status; 0: none comes. */
  readonly status: number
  /** The kind of the failure; absent: as the status says. */
  readonly kind?: FailureKind
  /** To the first event of a stream; absent: the answer comes in one piece. */
  readonly firstMillis?: number
  /** To the end of the answer, or to the failure. */
  readonly wholeMillis: number
}

/** Answers the calls of a simulation: a pure function of the call. */
export type AnswerCall = (call: SimulatedCall) => SimulatedAnswer

/** The outcome of a request. */
export interface SimulatedRequest {
  /** When it came, in milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds from the request to the first event of its answer, or to its answer; absent: none came. */
  answeredMillis?: number
}

/** One attempt. Times are in milliseconds since the epoch. */
export interface SimulatedAttempt {
  readonly endpoint: string
  readonly startedAt: number
  readonly endedAt: number
  readonly isAnswer: boolean
  /** Whether it was started beside another one. */
  readonly isHedge: boolean
}

export interface SimulationRun {
  /** In the order of the requests. */
  readonly requests: ReadonlyArray<SimulatedRequest>
  /** In the order in which they ended. */
  readonly attempts: ReadonlyArray<SimulatedAttempt>
  /** The cost of all answers, and of the prompts of attempts that were cut off for another one; undefined when a price is unknown. */
  readonly cost: NanoUsd.NanoUsd | undefined
}

/** One simulated request while its attempts run. */
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
  /** Whether it is so late that its endpoint is suspected to fail. */
  isSuspected: boolean
}
