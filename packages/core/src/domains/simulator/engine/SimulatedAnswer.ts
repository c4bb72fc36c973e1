/** The answer of an endpoint in a simulation, and the request for it. */
import type { FailureKind } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import type { RecordedRequest } from "../recording/RecordedRequest.ts"

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
