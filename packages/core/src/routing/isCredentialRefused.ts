/** Whether an attempt failed because the customer's own credential was not accepted, not allowed, or out of its limits. */
import type { FailureKind } from "../upstreams/UpstreamFailure.ts"
import type { Attempted } from "./Attempted.ts"
import { isByok } from "./Candidate.ts"

export const isCredentialRefused = ({
  candidate,
  failure
}: Pick<Attempted, "candidate" | "failure">): boolean =>
  isByok(candidate) && failure !== undefined && refusals.has(failure.kind)

const refusals: ReadonlySet<FailureKind> = new Set([
  "credential_refused",
  "forbidden",
  "rate_limited"
])
