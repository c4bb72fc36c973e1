/** How fast a demo provider answers, and how often it fails. */
import { UpstreamFailure } from "@signalbox/core/upstream"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

export interface Pace {
  /** The median time to the first token, in milliseconds. */
  readonly firstTokenMillis: number
  readonly tokensPerSecond: number
  /** The share of calls that fail at any time, 0 to 1. */
  readonly errorShare: number
  /** All calls fail in the last `downSeconds` of every `everySeconds` since `since`; absent: there are no such outages. */
  readonly outage?: {
    /** Milliseconds since the epoch. */
    readonly since: number
    readonly everySeconds: number
    readonly downSeconds: number
  }
}

/** Waits as long as the first token takes, a few times with a long tail, or fails like a busy provider. */
export const waitForFirstToken = Effect.fnUntraced(function* (pace: Pace) {
  const now = yield* Clock.currentTimeMillis
  if (isDown(pace, now)) {
    yield* Effect.sleep(pace.firstTokenMillis / 4)
    return yield* new UpstreamFailure({ kind: "overloaded", status: 503, detail: "no capacity" })
  }
  yield* Effect.sleep(pace.firstTokenMillis * (yield* drawSpread))
  if ((yield* Random.next) < pace.errorShare) {
    return yield* new UpstreamFailure({ kind: "rate_limited", status: 429, detail: "slow down" })
  }
})

/** The time that `tokens` take after the first one, in milliseconds. */
export const toMillis = ({ tokensPerSecond }: Pace, tokens: number): number =>
  (tokens / tokensPerSecond) * 1_000

const isDown = ({ outage }: Pace, now: number): boolean =>
  outage !== undefined &&
  (now - outage.since) % (outage.everySeconds * 1_000) >=
    (outage.everySeconds - outage.downSeconds) * 1_000

/** A factor with a median of 1: log-normal, as latencies are. */
const drawSpread = Effect.map(Effect.all([Random.next, Random.next]), ([first, second]) =>
  Math.exp(0.35 * Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second))
)
