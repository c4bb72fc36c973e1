/**
 * Runs a plan until an attempt succeeds, under one attempt budget and one deadline. All fallbacks happen here;
 * nothing underneath retries. Nothing is forked or timed for what has its result at once.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Health } from "../../engine/health/Health.ts"
import { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import { reserveWithTimeout } from "../../engine/ledger/reserveWithTimeout.ts"
import { Settings } from "../../instance/Settings.ts"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { Deadline } from "../../values/Deadline.ts"
import type { OperationName } from "../../values/OperationName.ts"
import { isExit, isSuccess } from "../../values/eager.ts"
import * as Step from "../../values/Step.ts"
import type { Candidate } from "../Candidate.ts"
import type { RouteWork } from "../RouteWork.ts"
import { indexDroppedParameters } from "../plan/findDroppedParameters.ts"
import { isOfCandidates } from "../restrictions/selectLimits.ts"
import type { PreparedRoute } from "../RoutePreparer.ts"
import type { CapabilityTraits, RouteObserver } from "../RouteQuery.ts"
import { EndpointBusy, NoEndpoints } from "../RoutingErrors.ts"
import { RoutingRules } from "../RoutingRules.ts"
import type { AttemptEnd, AttemptRefusal, AttemptRun, AttemptsResult } from "./AttemptRun.ts"
import { type EndpointRoom, makeEndpointLimits } from "./concurrency/makeEndpointLimits.ts"
import { hasFallback, isContextExceeded, isExhausted } from "./attemptBudget.ts"
import { CostReserver } from "./CostReserver.ts"
import { makeHedgedAttempts } from "./hedging/HedgedAttempts.ts"
import { Hedger } from "./hedging/Hedger.ts"
import type { RaceEntry } from "./hedging/Race.ts"
import { Hold } from "./Hold.ts"
import { FirstEventTimes } from "./lateness/FirstEventTimes.ts"
import { recordRefusal } from "./refusals.ts"
import type { AttemptServices } from "./RunningAttempt.ts"
import { makeAttemptFinisher } from "./makeAttemptFinisher.ts"
import { makeAttemptRunner } from "./makeAttemptRunner.ts"
import { takeCandidate } from "./takeCandidate.ts"

type HoldAttempt<Capability extends CapabilityTraits, A, R> = (
  prepared: PreparedRoute<Capability>,
  work: RouteWork<Capability, A, R>,
  millis: number,
  restore: <B, E, S>(effect: Effect.Effect<B, E, S>) => Effect.Effect<B, E, S>
) => Effect.Effect<Hold>

/** Runs the attempts of a planned request. */
export class AttemptEngine extends Context.Service<
  AttemptEngine,
  {
    /**
     * Tries the candidates in the order of the plan until the deadline. The first upstream is called before it returns. `holds` are reservations for some of them.
     */
    readonly run: <Capability extends CapabilityTraits, A, R>(
      prepared: PreparedRoute<Capability>,
      work: RouteWork<Capability, A, R>,
      observer: RouteObserver,
      deadline: Deadline,
      holds?: ReadonlyArray<Hold>
    ) => Effect.Effect<AttemptsResult<A>, never, R>
    /** What a request would find at a candidate now; undefined: it has no limit of parallel requests. */
    readonly findRoom: (candidate: Candidate, operation: OperationName) => EndpointRoom | undefined
    /** Reserves the first attempt of a plan that its own budgets allow, within `millis`; `release` of the hold ends it. Call it in an uninterruptible region. */
    readonly hold: <Capability extends CapabilityTraits, A, R>(
      prepared: PreparedRoute<Capability>,
      work: RouteWork<Capability, A, R>,
      millis: number,
      restore: <B, E, S>(effect: Effect.Effect<B, E, S>) => Effect.Effect<B, E, S>
    ) => Effect.Effect<Hold>
  }
>()("@signalbox/core/routing/attempt/AttemptEngine") {
  static readonly layer = Layer.effect(
    AttemptEngine,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const health = yield* Health
      const { reserve } = yield* CostReserver
      const { failureRules, hedging } = yield* RoutingRules
      const settings = yield* Settings
      const firstEventTimes = new FirstEventTimes(settings.maxTrackedEndpoints)
      const hedger = hedging === undefined ? undefined : new Hedger(hedging, firstEventTimes)
      const record: AttemptServices["record"] = (kind, candidate, outcome) => {
        health.record(outcome)
        if (kind !== undefined) firstEventTimes.record(kind, candidate, outcome)
      }
      const services: AttemptServices = {
        firstEventTimes,
        health,
        healthOffset: health.time.offset,
        record,
        settings
      }
      const scope = yield* Effect.scope
      const finisher = yield* makeAttemptFinisher(services)
      const { release } = finisher
      const { runAttempt: runUnlimited } = yield* makeAttemptRunner(services, finisher)
      const limits = yield* makeEndpointLimits

      const runAttempt = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        candidate: Candidate,
        isLast: boolean,
        entry?: RaceEntry
      ): Effect.Effect<AttemptEnd<A> | undefined, AttemptRefusal, R> => {
        const limit = limits.findLimit(candidate, run.prepared.query.operation)
        return limit === undefined
          ? runUnlimited(run, candidate, isLast, entry)
          : limits.run(candidate, limit, run.prepared.query, () =>
              runUnlimited(run, candidate, isLast, entry)
            )
      }

      const isOpen = <Capability extends CapabilityTraits, A, R>(
        { attempts, unservableModels }: AttemptRun<Capability, A, R>,
        candidate: Candidate
      ): boolean =>
        health.controls.find(candidate.endpoint)?.state !== "disabled" &&
        (attempts.length === 0 ||
          !(
            unservableModels?.has(candidate.endpoint.model) === true ||
            isExhausted(settings, attempts, candidate) ||
            isContextExceeded(candidate, attempts)
          ))

      /** Undefined when another candidate may be tried. */
      const applyEnd = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        end: AttemptEnd<A> | undefined
      ): AttemptsResult<A> | undefined => {
        const { attempts, work, reservationFailure } = run
        if (end === undefined) return { attempts, ...reservationFailure, isTimedOut: true }
        const { attempted, served } = end
        attempts.push(attempted)
        if (served !== undefined) return { attempts, served }
        const { candidate, failure, firstEventMillis } = attempted
        if (failure === undefined) return undefined
        run.isFinal = !failureRules[failure.kind].fallback
        const isCommitted = firstEventMillis !== undefined
        if (isCommitted || work.canFallBack?.(failure) === false) {
          return { attempts, ...reservationFailure, isFinal: true }
        }
        if (failure.isCredentialRenewed === true && !run.hasRenewed) {
          run.hasRenewed = true
          run.renewed = candidate
          return undefined
        }
        if (run.isFinal) (run.unservableModels ??= new Set()).add(candidate.endpoint.model)
        return undefined
      }

      const hedged =
        hedger === undefined
          ? undefined
          : makeHedgedAttempts({
              failureRules,
              health,
              hedger,
              settings,
              engine: { applyEnd, isOpen, runAttempt }
            })

      const takeEnd = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        candidate: Candidate,
        end: Result.Result<AttemptEnd<A> | undefined, AttemptRefusal>
      ): AttemptsResult<A> | undefined => {
        if (Result.isSuccess(end)) return applyEnd(run, end.success)
        recordRefusal(run, candidate, end.failure)
        return undefined
      }

      const tryCandidates = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>
      ): Effect.Effect<AttemptsResult<A>, never, R> => {
        const { attempts } = run
        const candidates = run.prepared.planned.plan.ordered
        for (;;) {
          const { renewed } = run
          run.renewed = undefined
          const candidate = renewed ?? takeCandidate(run, candidates, isOpen, health)
          if (candidate === undefined) {
            const { busy, isFinal, reservationFailure } = run
            if (busy !== undefined && limits.canWait) return waitForBusy(run, busy)
            return Effect.succeed({
              attempts,
              ...reservationFailure,
              ...(isFinal ? { isFinal } : undefined)
            })
          }
          const isLast = !hasFallback(settings, attempts, candidates, run.position - 1)
          if (hedged?.isWanted(run, candidate) === true) {
            return Effect.flatMap(hedged.run(run, candidate, isLast), (result) =>
              result === undefined ? tryCandidates(run) : Effect.succeed(result)
            )
          }
          const running = runAttempt(run, candidate, isLast)
          if (isSuccess(running)) {
            const result = applyEnd(run, running.value)
            if (result !== undefined) return Effect.succeed(result)
            continue
          }
          const end = Step.result(running)
          if (!isExit(end)) {
            return Step.flatMap(end, (end) => {
              const result = takeEnd(run, candidate, end)
              return result === undefined ? tryCandidates(run) : Effect.succeed(result)
            })
          }
          if (Exit.isFailure(end)) return Exit.failCause(end.cause)
          const result = takeEnd(run, candidate, end.value)
          if (result !== undefined) return Effect.succeed(result)
        }
      }

      /** Tries the first of the busy candidates that has room, where requests wait for them. */
      const waitForBusy = <Capability extends CapabilityTraits, A, R>(
        run: AttemptRun<Capability, A, R>,
        busy: ReadonlyArray<Candidate>
      ): Effect.Effect<AttemptsResult<A>, never, R> => {
        run.busy = undefined
        const open = busy.filter((candidate) => isOpen(run, candidate))
        const begin = run.deadline.now()
        const millis = run.deadline.at - begin
        if (open.length === 0 || millis <= 0) return tryCandidates(run)
        let asked = open[0]!
        const runThere = (candidate: Candidate) => {
          asked = candidate
          const others = open.filter(({ id }) => id !== candidate.id)
          run.busy = others.length === 0 ? undefined : others
          run.reservationFailure = undefined
          return runUnlimited(run, candidate, others.length === 0)
        }
        const onEnd = () => run.observer.onQueue?.(run.deadline.now() - begin)
        return Effect.flatMap(
          Effect.result(limits.waitAndRun(run.prepared.query, open, millis, runThere, onEnd)),
          (end) => {
            if (Result.isSuccess(end)) {
              const result = applyEnd(run, end.success)
              return result === undefined ? tryCandidates(run) : Effect.succeed(result)
            }
            if (end.failure instanceof EndpointBusy) {
              run.reservationFailure = { reservationError: end.failure }
            } else recordRefusal(run, asked, end.failure)
            return tryCandidates(run)
          }
        )
      }

      /** Holds the first candidate from `position` on that no budget of its own rules out. */
      const holdFrom = <Capability extends CapabilityTraits, A, R>(
        position: number,
        ...[prepared, work, millis, restore]: Parameters<HoldAttempt<Capability, A, R>>
      ): Effect.Effect<Hold> => {
        const { ordered, rejected } = prepared.planned.plan
        const candidate = ordered[position]
        if (candidate === undefined) {
          const problem = new NoEndpoints({ models: prepared.query.models, rejected })
          return Effect.succeed(new Hold(undefined, undefined, release, problem))
        }
        const target = prepared.targets.get(candidate.id)!
        const reserving = reserve(prepared, work, target, clock.currentTimeMillisUnsafe(), true)
        if (reserving === undefined) return Effect.succeed(new Hold(undefined, undefined, release))
        return Effect.matchEffect(reserveWithTimeout(reserving, millis, restore, scope, release), {
          onFailure: (error) =>
            error instanceof LimitExceeded &&
            isOfCandidates(error.limit) &&
            position + 1 < ordered.length
              ? holdFrom(position + 1, prepared, work, millis, restore)
              : Effect.succeed(
                  new Hold(
                    undefined,
                    undefined,
                    release,
                    error instanceof UpstreamFailure ? "upstream" : error
                  )
                ),
          onSuccess: (reserved) =>
            Effect.succeed(
              Option.isNone(reserved)
                ? new Hold(undefined, undefined, release, "timeout")
                : new Hold(candidate.id, reserved.value, release)
            )
        })
      }

      return {
        findRoom: limits.findRoom,
        hold: (prepared, work, millis, restore) => holdFrom(0, prepared, work, millis, restore),
        run: (prepared, work, observer, deadline, holds) =>
          tryCandidates({
            prepared,
            work,
            observer,
            deadline,
            holds,
            dropped: indexDroppedParameters(prepared.planned.plan),
            attempts: [],
            unservableModels: undefined,
            unclaimed: undefined,
            renewed: undefined,
            hasRenewed: false,
            hedgeMillis: hedged?.begin(prepared, work),
            hedgedId: undefined,
            reservationFailure: undefined,
            busy: undefined,
            position: 0,
            isFirst: true,
            isFinal: false
          })
      }
    })
  )
}
