/** What an attempt says about the health of its endpoint, or of its credential: who is to blame for what. Source: semantics A8. */
import type { Outcome } from "../health/Outcome.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { Attempted } from "./Attempted.ts"
import { isByok } from "./Candidate.ts"
import type { FailureRules } from "./failureRules.ts"
import { isCredentialRefused } from "./isCredentialRefused.ts"

export interface Judging {
  readonly failureRules: FailureRules
  readonly totalDeadlineMillis: number
}

/**
 * One on a customer's own credential says something of both: what was refused to the credential is its
 * own affair, kept under the id of the candidate; everything else is the endpoint's, and a success both's.
 */
export const outcomesOf = (attempted: Attempted, judging: Judging): ReadonlyArray<Outcome> => {
  const outcome = outcomeOf(attempted, judging)
  const { candidate, failure } = attempted
  if (!isByok(candidate)) return [outcome]
  const own = { ...outcome, endpoint: candidate.id }
  if (!isCredentialRefused(attempted)) return failure === undefined ? [outcome, own] : [outcome]
  return [failure?.kind === "rate_limited" ? own : { ...own, result: "failure" }]
}

const outcomeOf = (attempted: Attempted, judging: Judging): Outcome => {
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
    result: resultOf(failure, latencyMillis, judging),
    kind: failure.kind,
    ...(failure.retryAfterMillis === undefined
      ? undefined
      : { retryAfterMillis: failure.retryAfterMillis })
  }
}

const resultOf = (
  { kind, phase }: UpstreamFailure,
  latencyMillis: number,
  { failureRules, totalDeadlineMillis }: Judging
): Outcome["result"] => {
  // Others, or the ledger, took the time of whom we cut off sooner than this.
  const isHurried =
    (phase === "attempt" || phase === "total") && latencyMillis * 5 < totalDeadlineMillis
  return isHurried ? "ignored" : failureRules[kind].health
}
