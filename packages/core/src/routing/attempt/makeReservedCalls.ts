/** Calls upstreams under a reservation, and bounds how long an attempt waits. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { Health } from "../../engine/health/Health.ts"
import type { Reservation } from "../../engine/ledger/Ledger.ts"
import { toGenAiAttributes } from "../../engine/observability/tracing/toGenAiAttributes.ts"
import { isTraced, withSpan } from "../../engine/observability/tracing/withSpan.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { Settings } from "../../instance/Settings.ts"
import * as Step from "../../values/Step.ts"
import { evaluate, isExit } from "../../values/eager.ts"
import { toErrorType } from "../../values/errors/toErrorType.ts"
import { withTimer } from "../../values/withTimer.ts"
import type { Candidate } from "../Candidate.ts"
import type { Requirements } from "../Requirements.ts"
import type { CapabilityTraits } from "../RouteQuery.ts"
import type { AttemptSuccess } from "../RouteWork.ts"
import { reasoningDetails } from "../plan/findDroppedParameters.ts"
import { AttemptDeadline } from "./AttemptDeadline.ts"
import type { AttemptEnd, AttemptRun } from "./AttemptRun.ts"
import { type RunningAttempt, toIgnoredFailure } from "./RunningAttempt.ts"
import type { AttemptFinisher } from "./makeAttemptFinisher.ts"
import { runWithCredential } from "./runWithCredential.ts"

/** Made once for an engine. */
export const makeReservedCalls = Effect.fnUntraced(function* ({ finishAttempt }: AttemptFinisher) {
  const clock = yield* Clock.Clock
  const health = yield* Health
  const { refuseIgnoredFields, streamTimeoutMillis } = yield* Settings
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
    if (observer.isStrict ?? refuseIgnoredFields) return Effect.fail(toIgnoredFailure(unsent))
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
    const attemptMillis = run.deadline.at - attempt.startedAt
    // While a fallback is possible, half of the remaining time is kept for it.
    const timeoutMillis = isLast ? attemptMillis : Math.ceil(attemptMillis / 2)
    const rules = new AttemptDeadline(
      attempt,
      attemptMillis,
      timeoutMillis,
      streamTimeoutMillis,
      isLast
    )
    const waiting = withTimer(called, clock, rules.begin(), rules)
    const finish = (exit: Exit.Exit<AttemptSuccess<A>, UpstreamFailure>) =>
      finishAttempt(run, attempt, reservation, exit)
    return mask === Effect.uninterruptibleMask
      ? Step.thenUninterruptibly(waiting, finish)
      : mask((restore) => Effect.flatMap(Effect.exit(restore(waiting)), finish))
  }

  return { callReserved }
})

/** Callers choose the names, so memory for parameters and endpoints is bounded; beyond the bounds nothing is logged. */
const maxParameters = 32
const maxEndpoints = 4_096

/** Callers choose the names of unknown fields, which may hold anything, so the log has only those that look like fields. */
const isPlainName = (name: string): boolean => /^[a-z]+(?:[._][a-z]+)*$/.test(name)

/** Logs parameters that an endpoint is not sent, once for each endpoint and parameter. */
const makeDroppedParameterWarner = () => {
  const warned = new Map<string, Set<string>>()
  return (
    { endpoint }: Candidate,
    parameters: ReadonlyArray<string>,
    { compressionFields = [], ignoredParameters = [], nativeFields }: Requirements
  ): Effect.Effect<void> => {
    const known = warned.get(endpoint.id) ?? new Set()
    if (known.size === 0) {
      if (warned.size >= maxEndpoints) return Effect.void
      warned.set(endpoint.id, known)
    }
    const fresh = parameters
      .filter(
        (name) => !known.has(name) && (isPlainName(name) || !ignoredParameters.includes(name))
      )
      .slice(0, maxParameters - known.size)
    if (fresh.length === 0) return Effect.void
    for (const name of fresh) known.add(name)
    return Effect.forEach(
      fresh,
      (name) => {
        const reason = ignoredParameters.includes(name)
          ? "the router does not implement it"
          : compressionFields.includes(name)
            ? "its contextLength is unknown"
            : nativeFields?.names.includes(name) === true
              ? `its API is another, and only that of "${nativeFields.dialect}" has the field`
              : name === reasoningDetails
                ? "it reads only the reasoning of its own provider"
                : "its supportedParameters do not list it"
        return Effect.logWarning(
          `"${endpoint.id}" is not sent ${JSON.stringify(name.slice(0, 64))}: ${reason}`
        )
      },
      { discard: true }
    )
  }
}

/** `error.type` is the kind of the failure, `Interrupted` or `Defect`. */
const withAttemptSpan = <A, R>(
  run: () => Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R>,
  operation: string,
  { endpoint }: Candidate
): Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R> =>
  withSpan(run, () => ({
    name: `${operation} ${endpoint.model}`,
    kind: "client",
    attributes: { "signalbox.endpoint.id": endpoint.id },
    onEnd: (span, exit) => {
      const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
      const served = Exit.isSuccess(exit) ? exit.value : undefined
      const known = toGenAiAttributes({
        operation,
        provider: endpoint.provider,
        model: endpoint.model,
        responseModel: served?.model,
        usage: served?.usage ?? failure?.usage
      })
      for (const [name, value] of Object.entries(known)) span.attribute(name, value)
      if (failure?.status !== undefined) {
        span.attribute("http.response.status_code", failure.status)
      }
      return Exit.isSuccess(exit) ? undefined : (failure?.kind ?? toErrorType(exit.cause))
    }
  }))
