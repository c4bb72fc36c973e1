/** What happens when a provider refuses an attempt. */
import * as Effect from "effect/Effect"
import { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { FailureKind } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { UsableCredential } from "../../tenants/byok/UsableCredential.ts"
import { type Candidate, isByok } from "../Candidate.ts"
import type { CapabilityTraits } from "../RouteQuery.ts"
import { EndpointBusy } from "../RoutingErrors.ts"
import type { AttemptRefusal, AttemptRun } from "./AttemptRun.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"

/** A refusal by the budget of a model on trial concerns the host only, so the caller does not see it. */
export const recordRefusal = <Capability extends CapabilityTraits, A, R>(
  run: AttemptRun<Capability, A, R>,
  candidate: Candidate,
  reason: AttemptRefusal
): void => {
  if (reason instanceof EndpointBusy) {
    run.observer.onSkip?.(candidate, reason)
    run.busy = [...(run.busy ?? []), candidate]
    run.reservationFailure = { reservationError: reason }
    return
  }
  const { trial } = run.prepared.query
  if (reason instanceof LimitExceeded && reason.limit.kind === "budget") {
    run.observer.onSkip?.(candidate, reason)
  }
  const isCallers = reason instanceof LimitExceeded && reason.limit.kind !== "experiment"
  if (trial?.model !== candidate.endpoint.model || isCallers) {
    run.reservationFailure = { reservationError: reason }
  } else {
    trial.onSkip(reason)
  }
}

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

/** In the background, so that no request waits for a slow store. A credential has one report at a time; others are dropped. */
export const makeRefusalReporter = Effect.map(Effect.scope, (scope) => {
  const inFlight = new Set<string>()
  return (
    attempted: RouteAttempt,
    usable: UsableCredential | undefined
  ): Effect.Effect<unknown> => {
    const { failure, latencyMillis, startedAt } = attempted
    if (usable === undefined || failure === undefined || !isCredentialRefused(attempted)) {
      return Effect.void
    }
    const { id } = usable.credential
    const { kind, status } = failure
    return Effect.suspend(() => {
      if (inFlight.has(id)) return Effect.void
      inFlight.add(id)
      return usable
        .reportRefusal({ at: startedAt + latencyMillis, kind, status })
        .pipe(
          Effect.ensuring(Effect.sync(() => inFlight.delete(id))),
          Effect.forkIn(scope, { startImmediately: true })
        )
    })
  }
})
