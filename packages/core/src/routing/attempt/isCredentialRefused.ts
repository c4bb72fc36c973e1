/** Whether an attempt failed because of the customer's own credential. */
import type { FailureKind } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { isByok } from "../Candidate.ts"

/** The provider did not accept it, did not allow the call, or limited its rate. */
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

/** Whether the same credential would be refused again: a rate limit passes, the other refusals do not. */
export const isPermanentlyRefused = (
  attempted: Pick<RouteAttempt, "candidate" | "failure">
): boolean => isCredentialRefused(attempted) && attempted.failure?.kind !== "rate_limited"
