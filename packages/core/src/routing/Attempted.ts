/** One attempt at one candidate, as it is recorded, paid for and shown. */
import { sumUsage, type TokenUsage } from "../values/TokenUsage.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import type { Candidate } from "./Candidate.ts"

export interface Attempted {
  readonly candidate: Candidate
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly latencyMillis: number
  /** Absent for the attempt that served; `interrupted` when the caller did not wait for it. */
  readonly failure?: UpstreamFailure
  readonly usage?: TokenUsage
  /** What it cost; absent when nothing is known of it. */
  readonly cost?: NanoUsd.NanoUsd
}

/** What a request used: the sum over its attempts, the failed ones too; undefined when unknown. */
export const totalUsage = (attempts: ReadonlyArray<Attempted>): TokenUsage | undefined =>
  total(
    attempts.map(({ usage }) => usage),
    sumUsage
  )

/**
 * What a request cost: the sum over its attempts, the failed ones too; undefined when one of them used
 * something at an unknown price.
 */
export const totalCost = (attempts: ReadonlyArray<Attempted>): NanoUsd.NanoUsd | undefined =>
  attempts.some(({ cost, usage }) => usage !== undefined && cost === undefined)
    ? undefined
    : total(
        attempts.map(({ cost }) => cost),
        NanoUsd.sum
      )

const total = <A>(parts: ReadonlyArray<A | undefined>, sum: (self: A, that: A) => A) => {
  let total: A | undefined
  for (const part of parts) {
    if (part !== undefined) total = total === undefined ? part : sum(total, part)
  }
  return total
}
