/** Converts an attempt to the outcome that counts for the health of its candidate. */
import type { Outcome } from "../../engine/health/Outcome.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { getRequestCount } from "../../values/usage/TokenUsage.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import type { FailureRules } from "./failureRules.ts"
import { isPermanentlyRefused } from "./refusals.ts"

export interface OutcomeRules {
  readonly failureRules: FailureRules
  readonly totalTimeoutMillis: number
}

/**
 * `offset` converts the times of the attempt to those of `Health.time`. The outcome is recorded under the id of the
 * candidate. An attempt on a customer's own credential counts for that credential alone. There, a refusal is a failure
 * even if the endpoint's failure rules ignore it.
 */
export const toOutcome = (attempted: RouteAttempt, rules: OutcomeRules, offset = 0): Outcome => {
  const { abortReason, candidate, failure, latencyMillis, usage } = attempted
  const startedAt = attempted.startedAt + offset
  const outcome: { -readonly [K in keyof Outcome]: Outcome[K] } = {
    endpoint: candidate.id,
    startedAt,
    at: startedAt + latencyMillis,
    result: "ignored"
  }
  // The first event of a stream was recorded when it came.
  if (attempted.firstEventMillis === undefined) outcome.latencyMillis = latencyMillis
  else outcome.totalMillis = latencyMillis
  if (abortReason !== undefined) {
    // It would have taken at least as long as it was waited for; otherwise slow endpoints would look fast.
    if (attempted.lost === true) outcome.result = "first_event"
    return outcome
  }
  if (failure === undefined) {
    // A Decision with single options is answered without a call.
    if (usage !== undefined && getRequestCount(usage) === 0) return outcome
    outcome.result = "success"
    // A slow reader hides the throughput of the provider.
    if (usage !== undefined && (attempted.backpressureMillis ?? 0) * 10 <= latencyMillis) {
      outcome.outputTokens = usage.outputTokens
    }
    if (usage !== undefined && attempted.estimated === undefined) outcome.prompt = usage
    return outcome
  }
  outcome.result = isPermanentlyRefused(attempted) ? "failure" : toResult(failure, attempted, rules)
  outcome.kind = failure.kind
  if (failure.retryAfterMillis !== undefined) outcome.retryAfterMillis = failure.retryAfterMillis
  return outcome
}

const toResult = (
  { isCredentialRenewed, kind, phase }: UpstreamFailure,
  { firstEventMillis, latencyMillis }: RouteAttempt,
  { failureRules, totalTimeoutMillis }: OutcomeRules
): Outcome["result"] => {
  // Neither an expired token nor a wait for a connection of this process says anything about the endpoint.
  if (isCredentialRenewed === true || phase === "queue") return "ignored"
  // Earlier attempts or the ledger used up the time of an attempt cut off this early.
  const isCutShort =
    (phase === "attempt" || phase === "total") && latencyMillis * 5 < totalTimeoutMillis
  // A stream may last this long because of a slow reader.
  const isReaderDelayed = phase === "total" && firstEventMillis !== undefined
  return isCutShort || isReaderDelayed ? "ignored" : failureRules[kind].health
}
