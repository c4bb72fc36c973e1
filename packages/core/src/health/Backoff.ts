/**
 * How long to stay away from an endpoint that said it has had enough: as long as it asks, and longer
 * each time it has to say so again. A pure fold over its outcomes; undefined is no reason to stay away.
 */
import type { SettingsShape } from "../Settings.ts"
import type { Outcome } from "./Outcome.ts"
import { isStartedSince } from "./isStartedSince.ts"

export interface Backoff {
  readonly since: number
  readonly until: number
  /** Rate limits in a row, those of one burst counted once. */
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
  if (result === "ignored") return backoff
  const isNewer = backoff === undefined || isStartedSince(outcome, backoff.since)
  if (result === "success") return isNewer ? undefined : backoff
  const requestedMillis = getRetryAfterMillis(outcome, rules)
  // An attempt from before does not say that backing off did not help: it only may ask for more.
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

/** Whether the endpoint is to be left alone at `now`. */
export const isActive = (backoff: Backoff | undefined, now: number): backoff is Backoff =>
  backoff !== undefined &&
  now < backoff.until &&
  // A longer wait is not ours: the clock has been set back.
  backoff.until - now <= 2 * (backoff.until - backoff.since)

const getRetryAfterMillis = ({ retryAfterMillis = 0 }: Outcome, rules: BackoffRules): number =>
  retryAfterMillis > 0 ? Math.min(retryAfterMillis, rules.maxRetryAfterMillis) : 0

const computeBackoffMillis = (repeats: number, rules: BackoffRules): number =>
  Math.min(rules.rateLimitBackoffMillis * 2 ** (repeats - 1), rules.maxRateLimitBackoffMillis)

const describeCause = (repeats: number, asked: number): string => {
  const often = repeats > 1 ? `rate limited ${repeats} times in a row` : "rate limited"
  const what = repeats === 0 ? "failed" : often
  return asked === 0 ? what : `${what}, asked to wait ${asked / 1_000} s`
}
