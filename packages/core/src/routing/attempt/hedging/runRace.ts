/** Runs an attempt, and a second one beside it when it takes too long. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { noTimer, startTimer } from "../../../values/startTimer.ts"
import type { Race, RaceEntry } from "./Race.ts"

export interface RaceOptions<A, E, R> {
  readonly clock: Clock.Clock
  /** The time in which `startedAt` of the first attempt is. */
  readonly now: () => number
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
export interface RaceEnd<A, E> {
  readonly first: Exit.Exit<A, E>
  readonly second?: Exit.Exit<A, E>
}

/**
 * Completes when both have ended, the loser by an interruption. An interruption of the caller interrupts both, and waits
 * for them. Takes one fiber for each attempt, and one timer.
 */
export const runRace = <A, E, R>(
  options: RaceOptions<A, E, R>
): Effect.Effect<RaceEnd<A, E>, never, R> =>
  Effect.withFiber((parent) =>
    Effect.callback<RaceEnd<A, E>>((resume) => {
      const { clock, delayMillis, isDecisive, now, race, startSecond } = options
      const running = new Map<RaceEntry, Fiber.Fiber<A, E>>()
      let first: Exit.Exit<A, E> | undefined
      let second: Exit.Exit<A, E> | undefined
      /** Attempts that have not ended, including one that is just being started. */
      let unfinished = 0
      let isAbandoned = false
      let timer = noTimer

      race.onDecided = (winner) => {
        timer.stop()
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
          timer.stop()
          if (isDecisive(exit)) entry.claim()
          if (unfinished > 0 || first === undefined || isAbandoned) return
          resume(Effect.succeed(second === undefined ? { first } : { first, second }))
        })
      }
      const checkTime = (): void => {
        if (race.winner !== undefined) return
        const { startedAt } = race.first
        // The ledger is still asked: the provider is not late yet.
        const remaining = startedAt === undefined ? delayMillis : startedAt + delayMillis - now()
        if (remaining > 0) {
          timer = startTimer(clock, remaining, checkTime)
          return
        }
        const effect = startSecond()
        if (effect !== undefined) start(race.second, effect)
      }
      timer = startTimer(clock, delayMillis, checkTime)
      start(race.first, options.first)
      return Effect.suspend(() => {
        isAbandoned = true
        timer.stop()
        return Fiber.interruptAll(Array.from(running.values()))
      })
    })
  )
