/** What each kind of failure means for a request and for an endpoint's health. Source: semantics A8. */
import type { FailureKind } from "../upstreams/UpstreamFailure.ts"

export interface FailureRule {
  /** Whether the next candidate is tried. */
  readonly fallback: boolean
  /** Whether it counts against the endpoint. 429s are counted apart, the request's own faults never. */
  readonly countsAgainstHealth: boolean
}

const moveOn: FailureRule = { fallback: true, countsAgainstHealth: true }
const moveOnUncounted: FailureRule = { fallback: true, countsAgainstHealth: false }
const stop: FailureRule = { fallback: false, countsAgainstHealth: false }

export const failureRules: Readonly<Record<FailureKind, FailureRule>> = {
  unreachable: moveOn,
  timeout: moveOn,
  rate_limited: moveOnUncounted,
  overloaded: moveOn,
  server_error: moveOn,
  credential_refused: moveOn,
  forbidden: moveOnUncounted,
  not_served: moveOn,
  bad_request: stop,
  context_length: moveOnUncounted,
  unsupported_parameter: moveOnUncounted,
  content_refused: stop,
  invalid_answer: moveOn
}
