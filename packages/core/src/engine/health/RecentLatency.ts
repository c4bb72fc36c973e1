/**
 * A moving average of the logarithm of the time to the first event: a pure fold over outcomes. The last attempts count
 * most, and the logarithm keeps a single stall from outweighing them.
 */
import type { Outcome } from "./Outcome.ts"

export interface RecentLatency {
  /** The average of ln(milliseconds). */
  readonly log: number
  /** When the last attempt ended, by `Health.time`. */
  readonly at: number
}

/** How much one attempt counts. */
const weight = 0.1

/** An endpoint without an attempt for so long is judged by its peers again, because nothing else would give it another. */
const validMillis = 300_000

/** The latency that counts for routing; undefined: this outcome has none. */
export const getLatency = ({ latencyMillis, result }: Outcome): number | undefined =>
  result === "success" || result === "first_event" ? latencyMillis : undefined

export const record = (
  recent: RecentLatency | undefined,
  outcome: Outcome
): RecentLatency | undefined => {
  const millis = getLatency(outcome)
  if (millis === undefined) return recent
  const { at } = outcome
  const log = Math.log(Math.max(millis, 1))
  return { log: recent === undefined ? log : recent.log + weight * (log - recent.log), at }
}

/** The average in milliseconds; undefined without a recent attempt. */
export const toMillis = (recent: RecentLatency | undefined, now: number): number | undefined =>
  recent === undefined || now - recent.at > validMillis
    ? undefined
    : Number(Math.exp(recent.log).toPrecision(6))
