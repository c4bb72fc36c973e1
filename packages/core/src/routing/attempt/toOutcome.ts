/** What an attempt says about the health of its candidate. */
import type { Outcome } from "../../health/Outcome.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { getRequestCount } from "../../values/usage/TokenUsage.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import type { FailureRules } from "./failureRules.ts"
import { isPermanentlyRefused } from "./isCredentialRefused.ts"

export interface OutcomeRules {
  readonly failureRules: FailureRules
  readonly totalTimeoutMillis: number
}

/**
 * Kept under the id of the candidate: what happens on a customer's own credential is known of that
 * credential alone, and what is refused to it fails it, whatever it says of an endpoint.
 */
export const toOutcome = (attempted: RouteAttempt, rules: OutcomeRules): Outcome => {
  const { abortReason, candidate, failure, latencyMillis, startedAt, usage } = attempted
  const ended = {
    endpoint: candidate.id,
    startedAt,
    at: startedAt + latencyMillis,
    // What a stream makes its caller wait for.
    latencyMillis: attempted.firstEventMillis ?? latencyMillis,
    ...(attempted.firstEventMillis === undefined ? undefined : { totalMillis: latencyMillis })
  }
  if (abortReason !== undefined) return { ...ended, result: "ignored" }
  // A Decision of single options is answered without asking anybody.
  const isAnsweredLocally = usage !== undefined && getRequestCount(usage) === 0
  if (failure === undefined && isAnsweredLocally) return { ...ended, result: "ignored" }
  if (failure === undefined) {
    return {
      ...ended,
      result: "success",
      // Where its reader was slow, nobody knows how fast it would have been.
      ...(usage === undefined || (attempted.backpressureMillis ?? 0) * 10 > latencyMillis
        ? undefined
        : { outputTokens: usage.outputTokens })
    }
  }
  return {
    ...ended,
    result: isPermanentlyRefused(attempted) ? "failure" : toResult(failure, attempted, rules),
    kind: failure.kind,
    ...(failure.retryAfterMillis === undefined
      ? undefined
      : { retryAfterMillis: failure.retryAfterMillis })
  }
}

const toResult = (
  { kind, phase }: UpstreamFailure,
  { firstEventMillis, latencyMillis }: RouteAttempt,
  { failureRules, totalTimeoutMillis }: OutcomeRules
): Outcome["result"] => {
  // Others, or the ledger, took the time of whom we cut off sooner than this.
  const isCutShort =
    (phase === "attempt" || phase === "total") && latencyMillis * 5 < totalTimeoutMillis
  // A stream may have lasted so long because its reader was slow.
  const isReaderDelayed = phase === "total" && firstEventMillis !== undefined
  return isCutShort || isReaderDelayed ? "ignored" : failureRules[kind].health
}
