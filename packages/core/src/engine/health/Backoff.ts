/**
 * How long to avoid an endpoint that limits the rate: as long as it asks, and longer
 * each time it repeats the limit. A pure fold over its outcomes; undefined: no backoff.
 */
import type { SettingsShape } from "../../instance/Settings.ts"
import { isStartedSince, type Outcome } from "./Outcome.ts"

export interface Backoff {
  readonly since: number
  readonly until: number
  /** Consecutive rate limits; the rate limits of one burst count once. */
  readonly repeats: number
  readonly cause: string
}

export type BackoffRules = Pick<
  SettingsShape,
  "rateLimitBackoffMillis" | "maxRateLimitBackoffMillis" | "maxRetryAfterMillis"
>

export const record = (
  backoff: Backoff | undefined,
  outcome: Outcome,
  rules: BackoffRules
): Backoff | undefined => {
  const { at, result } = outcome
  if (result === "ignored" || result === "first_event") return backoff
  const isNewer = backoff === undefined || isStartedSince(outcome, backoff.since)
  if (result === "success") return isNewer ? undefined : backoff
  const requestedMillis = getRetryAfterMillis(outcome, rules)
  // An attempt started before the backoff does not show that backing off failed; it can only extend it.
  if (!isNewer) {
    return requestedMillis > 0 && at + requestedMillis > backoff.until
      ? {
          ...backoff,
          until: at + requestedMillis,
          cause: describeCause(backoff.repeats, requestedMillis)
        }
      : backoff
  }
  const isRateLimited = result === "rate_limited"
  if (!isRateLimited && requestedMillis === 0) return backoff
  const repeats = (backoff?.repeats ?? 0) + (isRateLimited ? 1 : 0)
  const backoffMillis = isRateLimited ? computeBackoffMillis(repeats, rules) : 0
  return {
    since: at,
    until: Math.max(
      at + Math.max(requestedMillis, backoffMillis),
      isActive(backoff, at) ? backoff.until : 0
    ),
    repeats,
    cause: describeCause(repeats, requestedMillis > backoffMillis ? requestedMillis : 0)
  }
}

/** Whether the backoff is running at `now`. */
export const isActive = (backoff: Backoff | undefined, now: number): backoff is Backoff =>
  backoff !== undefined && now < backoff.until

const getRetryAfterMillis = ({ retryAfterMillis = 0 }: Outcome, rules: BackoffRules): number =>
  retryAfterMillis > 0 ? Math.min(retryAfterMillis, rules.maxRetryAfterMillis) : 0

const computeBackoffMillis = (repeats: number, rules: BackoffRules): number =>
  Math.min(rules.rateLimitBackoffMillis * 2 ** (repeats - 1), rules.maxRateLimitBackoffMillis)

const describeCause = (repeats: number, asked: number): string => {
  const often = repeats > 1 ? `rate limited ${repeats} times in a row` : "rate limited"
  const what = repeats === 0 ? "failed" : often
  return asked === 0 ? what : `${what}, asked to wait ${asked / 1_000} s`
}
