/** A clock that shows the time of a simulation. Nothing can wait on it. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { FailureKind } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import type { RecordedRequest } from "../recording/RecordedRequest.ts"

interface VirtualClock extends Clock.Clock {
  /** Sets the time, in milliseconds since the epoch. */
  readonly set: (at: number) => void
}

export const makeVirtualClock = (): VirtualClock => {
  let now = 0
  const toNanos = () => BigInt(Math.round(now * 1_000_000))
  return {
    set: (at) => {
      now = at
    },
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: toNanos,
    currentTimeNanos: Effect.sync(toNanos),
    monotonicTimeNanosUnsafe: toNanos,
    monotonicTimeNanos: Effect.sync(toNanos),
    sleep: () => Effect.die(new Error("a simulation has no timers"))
  }
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
