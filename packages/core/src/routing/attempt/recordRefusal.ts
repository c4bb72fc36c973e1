/** Records why nothing could be reserved for a candidate, which is then passed over. */
import { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { Candidate } from "../Candidate.ts"
import type { CapabilityTraits } from "../RouteQuery.ts"
import type { NoEndpoints } from "../RoutingErrors.ts"
import type { AttemptRun } from "./AttemptRun.ts"

/** A refusal by the budget of a model on trial concerns the host only, so the caller does not see it. */
export const recordRefusal = <Capability extends CapabilityTraits, A, R>(
  run: AttemptRun<Capability, A, R>,
  { endpoint }: Candidate,
  reason: LimitExceeded | NoEndpoints
): void => {
  const { trial } = run.prepared.query
  const isCallers = reason instanceof LimitExceeded && reason.limit.kind !== "experiment"
  if (trial?.model !== endpoint.model || isCallers) {
    run.reservationFailure = { reservationError: reason }
  } else {
    trial.onSkip(reason)
  }
}
