/** What is known of one endpoint's last seconds: a pure fold over its outcomes, in buckets of a second. */
import type { Outcome } from "./Outcome.ts"

interface Bucket {
  readonly second: number
  readonly successes: number
  readonly failures: number
}

export interface EndpointHealth {
  /** Oldest first; never more than the window has seconds, plus one. */
  readonly buckets: ReadonlyArray<Bucket>
}

export const empty: EndpointHealth = { buckets: [] }

export const fold = (
  health: EndpointHealth,
  outcome: Outcome,
  windowMillis: number
): EndpointHealth => {
  const second = Math.floor(outcome.at / 1000)
  const earlier = health.buckets.filter(
    (bucket) => bucket.second !== second && isInside(bucket, outcome.at, windowMillis)
  )
  const current = health.buckets.find((bucket) => bucket.second === second)
  const failed = outcome.result === "failure" ? 1 : 0
  return {
    buckets: [
      ...earlier,
      {
        second,
        successes: (current?.successes ?? 0) + 1 - failed,
        failures: (current?.failures ?? 0) + failed
      }
    ]
  }
}

/** Outcomes still inside the window at `now`. */
export const counts = (
  health: EndpointHealth,
  now: number,
  windowMillis: number
): { readonly successes: number; readonly failures: number } => {
  let successes = 0
  let failures = 0
  for (const bucket of health.buckets) {
    if (!isInside(bucket, now, windowMillis)) continue
    successes += bucket.successes
    failures += bucket.failures
  }
  return { successes, failures }
}

/**
 * Whether the endpoint has a significant outage at `now`: a failure in the window, and at least
 * half of the window's outcomes failed. Source: semantics A1, our choice of the numbers.
 */
export const hasOutage = (health: EndpointHealth, now: number, windowMillis: number): boolean => {
  const { failures, successes } = counts(health, now, windowMillis)
  return failures > 0 && failures >= successes
}

const isInside = (bucket: Bucket, now: number, windowMillis: number): boolean =>
  (bucket.second + 1) * 1000 > now - windowMillis
