/** Which candidates the attempts made so far leave to be tried. */
import { type Candidate, isByok } from "../Candidate.ts"
import { isCredentialRefused } from "./refusals.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"

export interface AttemptBudget {
  /** Endpoints that may be tried. */
  readonly maxAttempts: number
  /** Further attempts, with another credential, at endpoints already tried. */
  readonly maxCredentialAttempts: number
  /** Attempts that may end with a refused customer credential. */
  readonly maxRejectedCredentials: number
}

type AttemptSummary = Pick<RouteAttempt, "candidate" | "failure">

/**
 * A refused customer credential does not count against the endpoint: its other credentials and shared capacity
 * may still be tried. A credential that its provider rejects outright is not tried at the provider's other endpoints.
 */
export const isExhausted = (
  { maxAttempts, maxCredentialAttempts, maxRejectedCredentials }: AttemptBudget,
  attempts: ReadonlyArray<AttemptSummary>,
  candidate: Candidate
): boolean => {
  if (attempts.length === 0) return false
  let refused = 0
  let tried = 0
  let isTried = false
  for (let at = 0; at < attempts.length; at++) {
    const attempted = attempts[at]!
    if (!isCredentialRefused(attempted)) {
      const { id } = attempted.candidate.endpoint
      if (!isEndpointTried(attempts, at, id)) tried += 1
      if (id === candidate.endpoint.id) isTried = true
      continue
    }
    refused += 1
    const isUseless = attempted.failure?.kind === "credential_refused"
    if (isUseless && attempted.candidate.credential?.id === candidate.credential?.id) return true
  }
  if (isByok(candidate) && refused >= maxRejectedCredentials) return true
  return isTried ? attempts.length - refused - tried >= maxCredentialAttempts : tried >= maxAttempts
}

/** Whether one of the first attempts counts against the endpoint. Attempts are few, so a set would cost more. */
const isEndpointTried = (
  attempts: ReadonlyArray<AttemptSummary>,
  first: number,
  endpointId: string
): boolean => {
  for (let at = 0; at < first; at++) {
    const attempted = attempts[at]!
    if (attempted.candidate.endpoint.id === endpointId && !isCredentialRefused(attempted)) {
      return true
    }
  }
  return false
}

/** A prompt too long for one endpoint is too long for the model's endpoints with no larger declared context. */
export const isContextExceeded = (
  { endpoint }: Candidate,
  attempts: ReadonlyArray<AttemptSummary>
): boolean =>
  attempts.some(
    ({ candidate: { endpoint: tried }, failure }) =>
      failure?.kind === "context_length" &&
      tried.model === endpoint.model &&
      (tried.id === endpoint.id ||
        (endpoint.contextLength ?? Infinity) <= (tried.contextLength ?? 0))
  )

/** Whether a later candidate could still be tried if the one at `position` fails. */
export const hasFallback = (
  budget: AttemptBudget,
  attempts: ReadonlyArray<AttemptSummary>,
  candidates: ReadonlyArray<Candidate>,
  position: number
): boolean => {
  const candidate = candidates[position]
  if (candidate === undefined) return false
  const failed = attempts.length === 0 ? [{ candidate }] : [...attempts, { candidate }]
  for (let at = position + 1; at < candidates.length; at++) {
    if (!isExhausted(budget, failed, candidates[at]!)) return true
  }
  return false
}
