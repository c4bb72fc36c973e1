/** What an attempt says about the health of its candidate: who is to blame for what. Source: semantics A8. */
import type { Outcome } from "../health/Outcome.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { requestsOf } from "../values/TokenUsage.ts"
import type { Attempted } from "./Attempted.ts"
import type { FailureRules } from "./failureRules.ts"
import { isRefusedForGood } from "./isRefusedForGood.ts"

export interface Judging {
  readonly failureRules: FailureRules
  readonly totalDeadlineMillis: number
}

/**
 * Kept under the id of the candidate: what happens on a customer's own credential is known of that
 * credential alone, and what is refused to it fails it, whatever it says of an endpoint.
 */
export const outcomeOf = (attempted: Attempted, judging: Judging): Outcome => {
  const { brokenOff, candidate, failure, latencyMillis, startedAt, usage } = attempted
  const ended = {
    endpoint: candidate.id,
    startedAt,
    at: startedAt + latencyMillis,
    // What a stream makes its caller wait for.
    latencyMillis: attempted.firstEventMillis ?? latencyMillis,
    ...(attempted.firstEventMillis === undefined ? undefined : { wholeMillis: latencyMillis })
  }
  if (brokenOff !== undefined) return { ...ended, result: "ignored" }
  // A Decision of single options is answered without asking anybody.
  const isUnasked = usage !== undefined && requestsOf(usage) === 0
  if (failure === undefined && isUnasked) return { ...ended, result: "ignored" }
  if (failure === undefined) {
    return {
      ...ended,
      result: "success",
      // Where its reader was slow, nobody knows how fast it would have been.
      ...(usage === undefined || (attempted.heldUpMillis ?? 0) * 10 > latencyMillis
        ? undefined
        : { outputTokens: usage.outputTokens })
    }
  }
  return {
    ...ended,
    result: isRefusedForGood(attempted) ? "failure" : resultOf(failure, attempted, judging),
    kind: failure.kind,
    ...(failure.retryAfterMillis === undefined
      ? undefined
      : { retryAfterMillis: failure.retryAfterMillis })
  }
}

const resultOf = (
  { kind, phase }: UpstreamFailure,
  { firstEventMillis, latencyMillis }: Attempted,
  { failureRules, totalDeadlineMillis }: Judging
): Outcome["result"] => {
  // Others, or the ledger, took the time of whom we cut off sooner than this.
  const isHurried =
    (phase === "attempt" || phase === "total") && latencyMillis * 5 < totalDeadlineMillis
  // A stream may have lasted so long because its reader was slow.
  const isOutlasted = phase === "total" && firstEventMillis !== undefined
  return isHurried || isOutlasted ? "ignored" : failureRules[kind].health
}
