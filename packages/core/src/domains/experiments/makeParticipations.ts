/** Routes a request that takes part in an experiment: on trial, as the control, or copied after its answer. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { GenerationExperiment } from "../../engine/observability/generations/Generation.ts"
import type { RouteAttempt } from "../../routing/attempt/RouteAttempt.ts"
import type { RouteWork } from "../../routing/RouteWork.ts"
import type { CapabilityTraits, RouteObserver, RouteQuery } from "../../routing/RouteQuery.ts"
import { Routing } from "../../routing/Routing.ts"
import type { NoEndpoints } from "../../routing/RoutingErrors.ts"
import { RoutingRules } from "../../routing/RoutingRules.ts"
import { Settings } from "../../instance/Settings.ts"
import {
  type ExperimentTrack,
  isMeasurable,
  toArmMeasures,
  toBudgetLimits
} from "./ExperimentTrack.ts"

/** A request that takes part in an experiment. */
export interface Participation<Capability extends CapabilityTraits> {
  /** What to route. */
  readonly query: RouteQuery<Capability>
  /** For the record; absent for a request that is only copied. */
  readonly label?: GenerationExperiment
  /** Whether `sendCopy` needs the answer. */
  readonly isShadowed: boolean
  /** Counts the request once it has ended. */
  readonly count: (attempts: ReadonlyArray<RouteAttempt>, startedAt: number) => void
  /**
   * Sends the request to the model on trial, after the caller has its answer. `agrees` compares the answers; undefined when
   * they cannot be compared. `timeoutMillis`: how long all attempts together may take; absent: `totalTimeoutMillis`.
   */
  readonly sendCopy: <A>(
    work: RouteWork<Capability, A, HttpClient.HttpClient>,
    agrees: (value: A) => boolean | undefined,
    timeoutMillis?: number
  ) => void
}

/** An experiment that a request matches. */
export interface ExperimentMatch {
  readonly track: ExperimentTrack
  /** The id of the requested model. */
  readonly requested: string
  /** The id of the model on trial. */
  readonly trial: string
}

export const makeParticipations = Effect.gen(function* () {
  const client = yield* HttpClient.HttpClient
  const clock = yield* Clock.Clock
  const routing = yield* Routing
  const { failureRules } = yield* RoutingRules
  const { maxShadowRequests, totalTimeoutMillis } = yield* Settings
  const scope = yield* Effect.scope
  const context = yield* Effect.context()
  let copies = 0

  const measure = (model: string, attempts: ReadonlyArray<RouteAttempt>, startedAt: number) =>
    toArmMeasures(model, attempts, startedAt, { failureRules, totalTimeoutMillis })

  const makeCanary = <Capability extends CapabilityTraits>(
    { requested, track, trial }: ExperimentMatch,
    query: RouteQuery<Capability>,
    isOnTrial: boolean
  ): Participation<Capability> => {
    let isSkipped = false
    const skip = (reason: LimitExceeded | NoEndpoints): void => {
      isSkipped = true
      track.skip(reason)
    }
    return {
      query: isOnTrial ? putOnTrial(track, trial, query, skip) : query,
      label: { id: track.experiment.id, arm: isOnTrial ? "canary" : "control" },
      isShadowed: false,
      count: (attempts, startedAt) => {
        const measured = measure(isOnTrial ? trial : requested, attempts, startedAt)
        if (measured !== undefined) {
          track.add(isOnTrial ? { trial: measured } : { control: measured })
        } else if (isOnTrial && !isSkipped && isMeasurable(attempts)) track.add({ unmeasured: 1 })
      },
      sendCopy: () => undefined
    }
  }

  const makeShadow = <Capability extends CapabilityTraits>(
    match: ExperimentMatch,
    query: RouteQuery<Capability>
  ): Participation<Capability> => ({
    query,
    isShadowed: true,
    count: (attempts, startedAt) => {
      const control = measure(match.requested, attempts, startedAt)
      if (control !== undefined) match.track.add({ control })
    },
    sendCopy: (work, agrees, timeoutMillis) => {
      if (copies >= maxShadowRequests) return match.track.add({ skipped: 1 })
      copies += 1
      const running = Effect.runForkWith(context)(
        Effect.yieldNow.pipe(
          Effect.andThen(
            Effect.suspend(() => runCopy(match, toCopy(match, query, timeoutMillis), work, agrees))
          ),
          Effect.ensuring(Effect.sync(() => (copies -= 1)))
        )
      )
      Fiber.runIn(running, scope)
    }
  })

  const runCopy = <Capability extends CapabilityTraits, A>(
    { track, trial }: ExperimentMatch,
    copy: RouteQuery<Capability>,
    work: RouteWork<Capability, A, HttpClient.HttpClient>,
    agrees: (value: A) => boolean | undefined
  ): Effect.Effect<void> => {
    const startedAt = clock.currentTimeMillisUnsafe()
    const attempts: Array<RouteAttempt> = []
    const observer: RouteObserver = {
      onPlan: () => undefined,
      onAttempt: (attempted) => void attempts.push(attempted)
    }
    return routing.route(copy, work, observer).pipe(
      Effect.provideService(HttpClient.HttpClient, client),
      Effect.exit,
      Effect.map((exit) => {
        const measured = measure(trial, attempts, startedAt)
        const agreed = Exit.isSuccess(exit) ? agrees(exit.value.value) : undefined
        track.add({
          ...(measured === undefined ? undefined : { trial: measured }),
          ...(agreed === undefined ? undefined : { compared: 1, agreed: agreed ? 1 : 0 }),
          ...(isUnpaid(exit) ? { skipped: 1 } : undefined)
        })
        return exit
      }),
      Effect.flatMap((exit) =>
        Exit.isFailure(exit) && Cause.hasDies(exit.cause)
          ? Effect.logError("A shadow request failed", exit.cause)
          : Effect.void
      )
    )
  }

  return { makeCanary, makeShadow }
})

/** The model on trial comes first, as long as the budget has room for what an attempt may cost. */
const putOnTrial = <Capability extends CapabilityTraits>(
  track: ExperimentTrack,
  model: string,
  query: RouteQuery<Capability>,
  onSkip: (reason: LimitExceeded | NoEndpoints) => void
): RouteQuery<Capability> => {
  const { experiment, state } = track
  const limits = toBudgetLimits(experiment, state?.run ?? 1)
  return {
    ...query,
    models: [experiment.to, ...query.models],
    ...(limits.length === 0 ? undefined : { trial: { model, limits, onSkip } })
  }
}

/**
 * The request for the model on trial. It has no other budget, and continues no conversation, because the conversations of
 * callers must neither follow it nor count it. It is not hedged, because no caller waits for it.
 */
const toCopy = <Capability extends CapabilityTraits>(
  { track: { experiment, state } }: ExperimentMatch,
  query: RouteQuery<Capability>,
  timeoutMillis: number | undefined
): RouteQuery<Capability> => {
  const { budget: _, conversation: __, ...rest } = query
  return {
    ...rest,
    models: [experiment.to],
    preferences: { ...query.preferences, hedge: false },
    chargedTo: toBudgetLimits(experiment, state?.run ?? 1),
    ...(timeoutMillis === undefined ? undefined : { timeoutMillis })
  }
}

const isUnpaid = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some(
    (reason) => Cause.isFailReason(reason) && reason.error instanceof LimitExceeded
  )
