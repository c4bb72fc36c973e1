/** One attempt at one candidate, as it is recorded, paid for and shown. */
import { sumUsage, type TokenUsage } from "../values/TokenUsage.ts"
import type { Implausible } from "../observability/Generation.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import type { Candidate } from "./Candidate.ts"

/** One attempt and what became of it. */
export interface Attempted {
  readonly candidate: Candidate
  /**
   * When its reservation was asked for, in milliseconds since the epoch: what it cost counts in that day,
   * week and month, as the reservation did.
   */
  readonly countedAt: number
  /** When the provider was asked, in milliseconds since the epoch. */
  readonly startedAt: number
  readonly latencyMillis: number
  /** Of a stream that has committed: how long its first event took. */
  readonly firstEventMillis?: number
  /** How long in milliseconds the reader of its stream made it wait; absent: not at all. */
  readonly heldUpMillis?: number
  /** Absent for the attempt that served. */
  readonly failure?: UpstreamFailure
  /** Why it came to no end: the caller left or the box closed, or a bug of ours broke it off. */
  readonly brokenOff?: "interrupted" | "defect"
  readonly usage?: TokenUsage
  /** `usage` is an estimate: the provider did not come to say. */
  readonly estimated?: true
  /** What the provider stated and cannot be: `usage` and `cost` are the most that can. */
  readonly implausible?: Implausible
  /** What it cost; absent when nothing is known of it. */
  readonly cost?: NanoUsd.NanoUsd
  /** What the provider charges the customer, on whose own credential it ran; as far as it is known. */
  readonly upstreamCost?: NanoUsd.NanoUsd
}

/** What a request used: the sum over its attempts, the failed ones too; undefined when unknown. */
export const totalUsage = (attempts: ReadonlyArray<Attempted>): TokenUsage | undefined =>
  total(
    attempts.map(({ usage }) => usage),
    sumUsage
  )

/**
 * What a request cost: the sum over its attempts, the failed ones too; undefined when unknown. What
 * served, or is known to have used something, cost something: without that part no sum is the whole.
 */
export const totalCost = (attempts: ReadonlyArray<Attempted>): NanoUsd.NanoUsd | undefined =>
  attempts.some((attempted) => attempted.cost === undefined && isCharged(attempted))
    ? undefined
    : total(
        attempts.map(({ cost }) => cost),
        NanoUsd.sum
      )

/** What providers charge the customer for it; undefined when it did not run on the customer's own credentials. */
export const totalUpstreamCost = (
  attempts: ReadonlyArray<Attempted>
): NanoUsd.NanoUsd | undefined =>
  total(
    attempts.map(({ upstreamCost }) => upstreamCost),
    NanoUsd.sum
  )

const isCharged = ({ brokenOff, failure, usage }: Attempted): boolean =>
  usage !== undefined || (failure === undefined && brokenOff === undefined)

const total = <A>(parts: ReadonlyArray<A | undefined>, sum: (self: A, that: A) => A) => {
  let total: A | undefined
  for (const part of parts) {
    if (part !== undefined) total = total === undefined ? part : sum(total, part)
  }
  return total
}
