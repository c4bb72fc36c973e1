/** What an attempt says about the health of its endpoint: who is to blame for what. Source: semantics A8. */
import type { Outcome } from "../health/Outcome.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { Attempted } from "./Attempted.ts"
import { failureRules } from "./failureRules.ts"

export const outcomeOf = (attempted: Attempted, totalDeadlineMillis: number): Outcome => {
  const { brokenOff, candidate, failure, latencyMillis, startedAt, usage } = attempted
  const ended = {
    endpoint: candidate.endpoint.id,
    startedAt,
    at: startedAt + latencyMillis,
    latencyMillis
  }
  if (brokenOff !== undefined) return { ...ended, result: "ignored" }
  if (failure === undefined) {
    return {
      ...ended,
      result: "success",
      ...(usage === undefined ? undefined : { outputTokens: usage.outputTokens })
    }
  }
  return {
    ...ended,
    result: resultOf(failure, latencyMillis, totalDeadlineMillis),
    kind: failure.kind,
    ...(failure.retryAfterMillis === undefined
      ? undefined
      : { retryAfterMillis: failure.retryAfterMillis })
  }
}

const resultOf = (
  { kind, phase }: UpstreamFailure,
  latencyMillis: number,
  totalDeadlineMillis: number
): Outcome["result"] => {
  if (kind === "rate_limited" || kind === "invalid_answer") return kind
  if (!failureRules[kind].countsAgainstHealth) return "ignored"
  // Others, or the ledger, took the time of whom we cut off sooner than this.
  const isHurried =
    (phase === "attempt" || phase === "total") && latencyMillis * 5 < totalDeadlineMillis
  return isHurried ? "ignored" : "failure"
}
