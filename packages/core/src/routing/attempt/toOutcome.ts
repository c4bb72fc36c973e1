/** Converts an attempt to the outcome that counts for the health of its candidate. */
import type { Outcome } from "../../health/Outcome.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { getRequestCount } from "../../values/usage/TokenUsage.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import type { FailureRules } from "./failureRules.ts"
import { isPermanentlyRefused } from "./isCredentialRefused.ts"

export interface OutcomeRules {
  readonly failureRules: FailureRules
  readonly totalTimeoutMillis: number
}

/**
 * Recorded under the id of the candidate: an attempt on a customer's own credential counts for that
 * credential alone, and a refusal fails it, whatever the failure rules say of the endpoint.
 */
export const toOutcome = (attempted: RouteAttempt, rules: OutcomeRules): Outcome => {
  const { abortReason, candidate, failure, latencyMillis, startedAt, usage } = attempted
  const ended = {
    endpoint: candidate.id,
    startedAt,
    at: startedAt + latencyMillis,
    // For a stream, the time to its first event.
    latencyMillis: attempted.firstEventMillis ?? latencyMillis,
    ...(attempted.firstEventMillis === undefined ? undefined : { totalMillis: latencyMillis })
  }
  if (abortReason !== undefined) return { ...ended, result: "ignored" }
  if (failure === undefined) {
    // A Decision with single options is answered without a call.
    if (usage !== undefined && getRequestCount(usage) === 0) return { ...ended, result: "ignored" }
    return {
      ...ended,
      result: "success",
      // A slow reader hides the throughput of the provider.
      ...(usage === undefined || (attempted.backpressureMillis ?? 0) * 10 > latencyMillis
        ? undefined
        : { outputTokens: usage.outputTokens })
    }
  }
  return {
    ...ended,
    result: isPermanentlyRefused(attempted) ? "failure" : toResult(failure, attempted, rules),
    kind: failure.kind,
    ...omitUndefined({ retryAfterMillis: failure.retryAfterMillis })
  }
}

const toResult = (
  { kind, phase }: UpstreamFailure,
  { firstEventMillis, latencyMillis }: RouteAttempt,
  { failureRules, totalTimeoutMillis }: OutcomeRules
): Outcome["result"] => {
  // Earlier attempts or the ledger used up the time of an attempt cut off this early.
  const isCutShort =
    (phase === "attempt" || phase === "total") && latencyMillis * 5 < totalTimeoutMillis
  // A stream may last this long because of a slow reader.
  const isReaderDelayed = phase === "total" && firstEventMillis !== undefined
  return isCutShort || isReaderDelayed ? "ignored" : failureRules[kind].health
}
