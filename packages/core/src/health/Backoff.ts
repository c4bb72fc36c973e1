/**
 * How long to stay away from an endpoint that said it has had enough: as long as it asks, and longer
 * each time it has to say so again. A pure fold over its outcomes; undefined is no reason to stay away.
 */
import type { SettingsShape } from "../Settings.ts"
import type { Outcome } from "./Outcome.ts"
import { startedSince } from "./startedSince.ts"

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
  const later = backoff === undefined || startedSince(outcome, backoff.since)
  if (result === "success") return later ? undefined : backoff
  const asked = askedMillis(outcome, rules)
  // An attempt from before does not say that backing off did not help: it only may ask for more.
  if (!later) {
    return asked > 0 && at + asked > backoff.until
      ? { ...backoff, until: at + asked, cause: causeOf(backoff.repeats, asked) }
      : backoff
  }
  const limited = result === "rate_limited"
  if (!limited && asked === 0) return backoff
  const repeats = (backoff?.repeats ?? 0) + (limited ? 1 : 0)
  const short = limited ? shortMillis(repeats, rules) : 0
  return {
    since: at,
    until: Math.max(at + Math.max(asked, short), isRunning(backoff, at) ? backoff.until : 0),
    repeats,
    cause: causeOf(repeats, asked > short ? asked : 0)
  }
}

/** Whether the endpoint is to be left alone at `now`. */
export const isRunning = (backoff: Backoff | undefined, now: number): backoff is Backoff =>
  backoff !== undefined &&
  now < backoff.until &&
  // A longer wait is not ours: the clock has been set back.
  backoff.until - now <= 2 * (backoff.until - backoff.since)

const askedMillis = ({ retryAfterMillis = 0 }: Outcome, rules: BackoffRules): number =>
  retryAfterMillis > 0 ? Math.min(retryAfterMillis, rules.maxRetryAfterMillis) : 0

const shortMillis = (repeats: number, rules: BackoffRules): number =>
  Math.min(rules.rateLimitBackoffMillis * 2 ** (repeats - 1), rules.maxRateLimitBackoffMillis)

const causeOf = (repeats: number, asked: number): string => {
  const often = repeats > 1 ? `rate limited ${repeats} times in a row` : "rate limited"
  const what = repeats === 0 ? "failed" : often
  return asked === 0 ? what : `${what}, asked to wait ${asked / 1_000} s`
}
