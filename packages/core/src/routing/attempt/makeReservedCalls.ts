/** Calls upstreams under a reservation, and bounds how long an attempt waits. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Health } from "../../engine/health/Health.ts"
import type { Reservation } from "../../engine/ledger/Ledger.ts"
import { Settings } from "../../instance/Settings.ts"
import {
  type FailurePhase,
  UpstreamFailure
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { CurrentConnectionWait } from "../../engine/upstreams/transport/sendOnce.ts"
import { isTraced } from "../../engine/observability/tracing/withSpan.ts"
import { evaluate, isExit } from "../../values/eager.ts"
import { withTimer } from "../../values/withTimer.ts"
import type { AttemptSuccess } from "../RouteWork.ts"
import type { CapabilityTraits } from "../RouteQuery.ts"
import type { AttemptEnd, AttemptRun } from "./AttemptRun.ts"
import { makeDroppedParameterWarner } from "./makeDroppedParameterWarner.ts"
import type { RunningAttempt } from "./RunningAttempt.ts"
import { runWithCredential } from "./runWithCredential.ts"
import { withAttemptSpan } from "./withAttemptSpan.ts"
import type { AttemptFinisher } from "./makeAttemptFinisher.ts"
import * as Step from "../../values/Step.ts"

/** Made once for an engine. */
export const makeReservedCalls = Effect.fnUntraced(function* ({ finishAttempt }: AttemptFinisher) {
  const clock = yield* Clock.Clock
  const health = yield* Health
  const { streamTimeoutMillis } = yield* Settings
  const warnDropped = makeDroppedParameterWarner()

  const callUpstream = <Capability extends CapabilityTraits, A, R>(
    { dropped, observer, prepared: { query } }: AttemptRun<Capability, A, R>,
    attempt: RunningAttempt<Capability, A, R>
  ): Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R> => {
    const { candidate, usable } = attempt.target
    if (usable === undefined && dropped.size === 0 && !isTraced()) {
      return attempt.callUpstream(undefined, observer)
    }
    const call = () =>
      withAttemptSpan(
        () =>
          usable === undefined
            ? attempt.callUpstream(undefined, observer)
            : runWithCredential(usable, (credential) => attempt.callUpstream(credential, observer)),
        query.operation,
        candidate
      )
    const unsent = dropped.get(candidate.id)
    if (unsent === undefined) return call()
    observer.onIgnored?.(unsent, candidate)
    return Step.flatMap(warnDropped(candidate, unsent, query.requirements), call)
  }

  /** Calls the upstream under the reservation. Only waiting is interruptible: what was used is charged and recorded. */
  const callReserved = <Capability extends CapabilityTraits, A, R>(
    run: AttemptRun<Capability, A, R>,
    attempt: RunningAttempt<Capability, A, R>,
    reservation: Reservation | undefined,
    isLast: boolean,
    mask: typeof Effect.uninterruptibleMask
  ): Effect.Effect<AttemptEnd<A>, never, R> => {
    health.begin(attempt.target.candidate.id)
    const called = evaluate(() => callUpstream(run, attempt))
    if (isExit(called)) return finishAttempt(run, attempt, reservation, called)
    const { startedAt } = attempt
    const attemptMillis = run.deadline.at - startedAt
    // While a fallback is possible, half of the remaining time is kept for it.
    const timeoutMillis = isLast ? attemptMillis : Math.ceil(attemptMillis / 2)
    let isExtended = false
    /** How much of the time was a wait for a connection, which is not the provider's. */
    let addedMillis = 0
    const checkTime = () => {
      const { committedAt } = attempt
      if (committedAt === undefined) {
        const left = attemptMillis - timeoutMillis - addedMillis
        const millis = Math.min(attempt.getQueuedMillis() - addedMillis, left)
        addedMillis += millis
        return millis > 0 ? millis : failWithTimeout(isLast ? "total" : "attempt")
      }
      if (isExtended) return failWithTimeout("total")
      isExtended = true
      return committedAt + streamTimeoutMillis - startedAt - timeoutMillis - addedMillis
    }
    const waiting = withTimer(called, clock, timeoutMillis, checkTime, (context) =>
      Context.add(context, CurrentConnectionWait, attempt)
    )
    const finish = (exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>) =>
      finishAttempt(run, attempt, reservation, exit)
    return mask === Effect.uninterruptibleMask
      ? Step.thenUninterruptibly(waiting, finish)
      : mask((restore) => Effect.flatMap(Effect.exit(restore(waiting)), finish))
  }

  return { callReserved }
})

const failWithTimeout = (phase: FailurePhase): Exit.Exit<never, UpstreamFailure> =>
  Exit.fail(new UpstreamFailure({ kind: "timeout", phase }))
