/** One attempt at one candidate, as it is recorded, charged and shown. */
import { sumUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ImplausibleReport } from "../../observability/Generation.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { Candidate } from "../Candidate.ts"

/** One attempt and its outcome. */
export interface RouteAttempt {
  readonly candidate: Candidate
  /**
   * When its reservation was asked for, in milliseconds since the epoch: what it cost counts in that day,
   * week and month, as the reservation did.
   */
  readonly chargedAt: number
  /** When the provider was asked, in milliseconds since the epoch. */
  readonly startedAt: number
  readonly latencyMillis: number
  /** For a committed stream: how long its first event took. */
  readonly firstEventMillis?: number
  /** How long in milliseconds a slow reader delayed the stream; absent: not at all. */
  readonly backpressureMillis?: number
  /** Absent for the attempt that served. */
  readonly failure?: UpstreamFailure
  /** Why it never finished: the caller left, the instance closed, or Signalbox has a defect. */
  readonly abortReason?: "interrupted" | "defect"
  readonly usage?: TokenUsage
  /** `usage` is an estimate, because the provider did not report it. */
  readonly estimated?: true
  /** An implausible report of the provider; `usage` and `cost` are capped at the plausible maximum. */
  readonly implausible?: ImplausibleReport
  /** The cost; absent: unknown. */
  readonly cost?: NanoUsd.NanoUsd
  /** What the provider charges the customer whose own credential was used; absent: unknown or not applicable. */
  readonly upstreamCost?: NanoUsd.NanoUsd
}

/** The usage of a request, summed over all attempts, including failed ones; undefined when unknown. */
export const sumAttemptUsage = (attempts: ReadonlyArray<RouteAttempt>): TokenUsage | undefined =>
  sumKnown(
    attempts.map(({ usage }) => usage),
    sumUsage
  )

/**
 * What a request cost: the sum over its attempts, the failed ones too; undefined when unknown. What
 * served, or is known to have used something, cost something: without that part no sum is the whole.
 */
export const sumCost = (attempts: ReadonlyArray<RouteAttempt>): NanoUsd.NanoUsd | undefined =>
  attempts.some((attempted) => attempted.cost === undefined && isCharged(attempted))
    ? undefined
    : sumKnown(
        attempts.map(({ cost }) => cost),
        NanoUsd.sum
      )

/** What providers charge the customer; undefined when no customer credential was used. */
export const sumUpstreamCost = (
  attempts: ReadonlyArray<RouteAttempt>
): NanoUsd.NanoUsd | undefined =>
  sumKnown(
    attempts.map(({ upstreamCost }) => upstreamCost),
    NanoUsd.sum
  )

const isCharged = ({ abortReason, failure, usage }: RouteAttempt): boolean =>
  usage !== undefined || (failure === undefined && abortReason === undefined)

const sumKnown = <A>(parts: ReadonlyArray<A | undefined>, sum: (self: A, that: A) => A) => {
  let total: A | undefined
  for (const part of parts) {
    if (part !== undefined) total = total === undefined ? part : sum(total, part)
  }
  return total
}
