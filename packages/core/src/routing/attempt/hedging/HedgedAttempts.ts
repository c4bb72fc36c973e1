/** Runs attempts, and starts a second one beside an attempt that is late. */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Health } from "../../../engine/health/Health.ts"
import type { LimitExceeded } from "../../../engine/ledger/LedgerErrors.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import type { Candidate } from "../../Candidate.ts"
import type { RouteWork } from "../../RouteWork.ts"
import type { PreparedRoute } from "../../RoutePreparer.ts"
import type { CapabilityTraits } from "../../RouteQuery.ts"
import type { NoEndpoints } from "../../RoutingErrors.ts"
import { isExhausted } from "../attemptBudget.ts"
import type { AttemptEnd, AttemptRun, AttemptsResult } from "../AttemptRun.ts"
import type { FailureRules } from "../failureRules.ts"
import { recordRefusal } from "../refusals.ts"
import { type Hedger, findHedgeTarget, isHedgeable } from "./Hedger.ts"
import { Race, type RaceEntry } from "./Race.ts"
import { type RaceEnd, runRace } from "./runRace.ts"

/** The steps of the attempt engine for one attempt, hedged or not. */
interface EngineSteps {
  readonly isOpen: <Capability extends CapabilityTraits, A, R>(
    run: AttemptRun<Capability, A, R>,
    candidate: Candidate
  ) => boolean
  readonly runAttempt: <Capability extends CapabilityTraits, A, R>(
    run: AttemptRun<Capability, A, R>,
    candidate: Candidate,
    isLast: boolean,
    entry: RaceEntry
  ) => Effect.Effect<AttemptEnd<A> | undefined, ReservationRefused, R>
  readonly applyEnd: <Capability extends CapabilityTraits, A, R>(
    run: AttemptRun<Capability, A, R>,
    end: AttemptEnd<A> | undefined
  ) => AttemptsResult<A> | undefined
}

type ReservationRefused = LimitExceeded | NoEndpoints

interface HedgedAttemptsOptions {
  readonly clock: Clock.Clock
  readonly failureRules: FailureRules
  readonly health: Health["Service"]
  readonly hedger: Hedger
  readonly settings: SettingsShape
  readonly engine: EngineSteps
}

/** Made once for an engine that hedges. */
export const makeHedgedAttempts = ({
  clock,
  engine: { applyEnd, isOpen, runAttempt },
  failureRules,
  health,
  hedger,
  settings
}: HedgedAttemptsOptions) => {
  /** The second attempt of a request, beside the one at `first`; undefined when there cannot be one. */
  const startSecond = <Capability extends CapabilityTraits, A, R>(
    run: AttemptRun<Capability, A, R>,
    first: Candidate,
    isLast: boolean,
    { second }: Race
  ): Effect.Effect<AttemptEnd<A> | undefined, ReservationRefused, R> | undefined => {
    const { attempts, prepared } = run
    const { plan } = prepared.planned
    const tried = [...attempts, { candidate: first }]
    const isUntried = ({ endpoint: { id } }: Candidate): boolean =>
      !attempts.some(({ candidate }) => candidate.endpoint.id === id)
    const target = findHedgeTarget(
      plan,
      first,
      (candidate) =>
        isUntried(candidate) && isOpen(run, candidate) && !isExhausted(settings, tried, candidate),
      health.snapshot(
        plan.ordered.map(({ id }) => id),
        true
      ),
      settings.rankMinSamples
    )
    if (target === undefined || !hedger.budget.take()) return undefined
    if (!health.claim(target.id)) {
      hedger.budget.giveBack()
      return undefined
    }
    run.hedgeMillis = undefined
    run.hedgedId = target.id
    return Effect.onExit(
      Effect.suspend(() => runAttempt(run, target, isLast, second)),
      () =>
        Effect.sync(() => {
          // The second attempt did not start, for example because a second reservation found no money.
          if (second.startedAt === undefined) hedger.budget.giveBack()
        })
    )
  }

  /** Undefined when another candidate may be tried. Fails for an interruption or a defect of Signalbox. */
  const applyRace = <Capability extends CapabilityTraits, A, R>(
    run: AttemptRun<Capability, A, R>,
    candidate: Candidate,
    race: Race,
    ended: RaceEnd<AttemptEnd<A> | undefined, ReservationRefused>
  ): Effect.Effect<AttemptsResult<A> | undefined> => {
    let result: AttemptsResult<A> | undefined
    for (const entry of race.listEntries()) {
      const exit = entry === race.first ? ended.first : ended.second
      if (exit === undefined) continue
      const { attempted, isHedge } = entry
      if (attempted?.lost === true) {
        applyEnd(run, { attempted })
        continue
      }
      if (Exit.isSuccess(exit)) {
        // A second attempt that the deadline leaves no time for changes nothing.
        if (exit.value !== undefined || !isHedge) result ??= applyEnd(run, exit.value)
        continue
      }
      const refused = Option.getOrUndefined(Exit.findErrorOption(exit))
      if (refused === undefined) {
        if (!entry.isBeaten) return Effect.orDie(Exit.failCause(exit.cause))
      } else if (!isHedge) recordRefusal(run, candidate, refused)
    }
    return Effect.succeed(result)
  }

  return {
    /** After how many milliseconds an attempt of this request is late; undefined: it is not hedged. */
    begin: <Capability extends CapabilityTraits, A, R>(
      { planned, query }: PreparedRoute<Capability>,
      { hedging }: RouteWork<Capability, A, R>
    ): number | undefined => {
      const [first] = planned.plan.ordered
      return hedging === undefined || first === undefined || !isHedgeable(query, planned, hedging)
        ? undefined
        : hedger.beginRequest(hedging.kind, first.endpoint.model, health.time.now())
    },

    /** Whether an attempt at this candidate may get a second one beside it. */
    isWanted: <Capability extends CapabilityTraits, A, R>(
      { hedgeMillis, prepared }: AttemptRun<Capability, A, R>,
      { endpoint }: Candidate
    ): boolean =>
      hedgeMillis !== undefined &&
      // It is the delay of that model.
      endpoint.model === prepared.planned.plan.ordered[0]?.endpoint.model,

    /** Runs an attempt, and a second one beside it if it is late; undefined when another candidate may be tried. */
    run: <Capability extends CapabilityTraits, A, R>(
      run: AttemptRun<Capability, A, R>,
      candidate: Candidate,
      isLast: boolean
    ): Effect.Effect<AttemptsResult<A> | undefined, never, R> => {
      const race = new Race()
      const { deadline, hedgeMillis = Number.POSITIVE_INFINITY, observer, work } = run
      const racing = runRace({
        clock,
        now: () => deadline.now(),
        race,
        delayMillis: hedgeMillis,
        first: Effect.suspend(() => runAttempt(run, candidate, isLast, race.first)),
        startSecond: () => startSecond(run, candidate, isLast, race),
        isDecisive: (exit: Exit.Exit<AttemptEnd<A> | undefined, ReservationRefused>) => {
          if (Exit.isFailure(exit)) return exit.cause.reasons.some(Cause.isDieReason)
          const failure = exit.value?.attempted.failure
          return (
            failure !== undefined &&
            (!failureRules[failure.kind].fallback || work.canFallBack?.(failure) === false)
          )
        }
      })
      return Effect.flatMap(
        Effect.onExit(racing, () =>
          Effect.sync(() => {
            for (const attempted of race.listAttempts()) observer.onAttempt(attempted)
          })
        ),
        (ended) => applyRace(run, candidate, race, ended)
      )
    }
  }
}
