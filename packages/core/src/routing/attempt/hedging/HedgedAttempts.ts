/** Runs attempts, and starts a second one beside an attempt that is late. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { Health } from "../../../engine/health/Health.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import type { Candidate } from "../../Candidate.ts"
import type { PreparedRoute } from "../../RoutePreparer.ts"
import type { CapabilityTraits } from "../../RouteQuery.ts"
import type { RouteWork } from "../../RouteWork.ts"
import type { AttemptEnd, AttemptRefusal, AttemptRun, AttemptsResult } from "../AttemptRun.ts"
import { isExhausted } from "../attemptBudget.ts"
import type { FailureRules } from "../failureRules.ts"
import { recordRefusal } from "../refusals.ts"
import { findLatencyKind } from "../lateness/findLatencyKind.ts"
import { findHedgeTarget, type Hedger, isHedgeable } from "./Hedger.ts"
import { Race, type RaceEntry } from "./Race.ts"

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
  ) => Effect.Effect<AttemptEnd<A> | undefined, AttemptRefusal, R>
  readonly applyEnd: <Capability extends CapabilityTraits, A, R>(
    run: AttemptRun<Capability, A, R>,
    end: AttemptEnd<A> | undefined
  ) => AttemptsResult<A> | undefined
}

interface HedgedAttemptsOptions {
  readonly failureRules: FailureRules
  readonly health: Health["Service"]
  readonly hedger: Hedger
  readonly settings: SettingsShape
  readonly engine: EngineSteps
}

/** Made once for an engine that hedges. */
export const makeHedgedAttempts = ({
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
  ): Effect.Effect<AttemptEnd<A> | undefined, AttemptRefusal, R> | undefined => {
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
          if (!second.isStarted) hedger.budget.giveBack()
        })
    )
  }

  /** Undefined when another candidate may be tried. Fails for an interruption or a defect of Signalbox. */
  const applyRace = <Capability extends CapabilityTraits, A, R>(
    run: AttemptRun<Capability, A, R>,
    candidate: Candidate,
    race: Race,
    ended: RaceEnd<AttemptEnd<A> | undefined, AttemptRefusal>
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
      work: RouteWork<Capability, A, R>
    ): number | undefined => {
      const [first] = planned.plan.ordered
      const kind = findLatencyKind(work, query)
      return kind === undefined || first === undefined || !isHedgeable(query, planned, work.hedging)
        ? undefined
        : hedger.beginRequest(kind, first.endpoint.model, health.time.now())
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
      const { hedgeMillis = Number.POSITIVE_INFINITY, observer, work } = run
      const racing = runRace({
        race,
        delayMillis: hedgeMillis,
        first: Effect.suspend(() => runAttempt(run, candidate, isLast, race.first)),
        startSecond: () => startSecond(run, candidate, isLast, race),
        isDecisive: (exit: Exit.Exit<AttemptEnd<A> | undefined, AttemptRefusal>) => {
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

interface RaceOptions<A, E, R> {
  readonly race: Race
  /** How long the first attempt may take to answer, from when its provider was called, in milliseconds. */
  readonly delayMillis: number
  readonly first: Effect.Effect<A, E, R>
  /**
   * Starts the second attempt; called once, while the first one waits for its answer. Undefined: no second attempt is
   * possible.
   */
  readonly startSecond: () => Effect.Effect<A, E, R> | undefined
  /** Whether an attempt ended in a way that leaves the other no use. */
  readonly isDecisive: (exit: Exit.Exit<A, E>) => boolean
}

/** How both ended; `second` is absent when it was not started. */
interface RaceEnd<A, E> {
  readonly first: Exit.Exit<A, E>
  readonly second?: Exit.Exit<A, E>
}

/**
 * Completes when both have ended, the loser by an interruption. An interruption of the caller interrupts both, and waits
 * for them. Takes one fiber for each attempt, and the timer of the first one.
 */
const runRace = <A, E, R>(options: RaceOptions<A, E, R>): Effect.Effect<RaceEnd<A, E>, never, R> =>
  Effect.withFiber((parent) =>
    Effect.callback<RaceEnd<A, E>>((resume) => {
      const { delayMillis, isDecisive, race, startSecond } = options
      const running = new Map<RaceEntry, Fiber.Fiber<A, E>>()
      let first: Exit.Exit<A, E> | undefined
      let second: Exit.Exit<A, E> | undefined
      /** Attempts that have not ended, including one that is just being started. */
      let unfinished = 0
      let isAbandoned = false

      race.onDecided = (winner) => {
        for (const [entry, fiber] of running) {
          if (entry !== winner) fiber.interruptUnsafe(parent.id)
        }
      }
      const start = (entry: RaceEntry, effect: Effect.Effect<A, E, R>): void => {
        unfinished += 1
        // The attempt has the services of the caller, which types cannot express for a fiber.
        const fiber = Effect.runForkWith(parent.context)(effect as Effect.Effect<A, E>)
        running.set(entry, fiber)
        fiber.addObserver((exit) => {
          unfinished -= 1
          running.delete(entry)
          if (entry === race.first) first = exit
          else second = exit
          race.first.onLate = undefined
          if (isDecisive(exit)) entry.claim()
          if (unfinished > 0 || first === undefined || isAbandoned) return
          resume(Effect.succeed(second === undefined ? { first } : { first, second }))
        })
      }
      race.first.lateMillis = delayMillis
      race.first.onLate = () => {
        if (race.winner !== undefined || isAbandoned) return
        const effect = startSecond()
        if (effect !== undefined) start(race.second, effect)
      }
      start(race.first, options.first)
      return Effect.suspend(() => {
        isAbandoned = true
        return Fiber.interruptAll(Array.from(running.values()))
      })
    })
  )
