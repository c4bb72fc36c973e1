/** Whether an attempt failed because the customer's own credential was not accepted, not allowed, or out of its limits. */
import type { FailureKind } from "../../upstreams/failures/UpstreamFailure.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { isByok } from "../Candidate.ts"

export const isCredentialRefused = ({
  candidate,
  failure
}: Pick<RouteAttempt, "candidate" | "failure">): boolean =>
  isByok(candidate) && failure !== undefined && refusalKinds.has(failure.kind)

const refusalKinds: ReadonlySet<FailureKind> = new Set([
  "credential_refused",
  "forbidden",
  "rate_limited"
])
