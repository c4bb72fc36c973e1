/** Runs an effect until a deadline, with one fiber and one timer. */
import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { startTimer } from "./startTimer.ts"

/**
 * After `millis`, `onTimeout` returns how the effect ends, or for how many milliseconds it goes on. The effect is
 * interrupted before the result is there, at a timeout as well as when the caller is interrupted. `provide` adds references
 * to its context, without the cost of `Effect.provideService`.
 */
export const withTimer = <A, E, R, E2 = never>(
  effect: Effect.Effect<A, E, R>,
  clock: Clock.Clock,
  millis: number,
  onTimeout: () => Exit.Exit<A, E2> | number,
  provide?: (context: Context.Context<never>) => Context.Context<never>
): Effect.Effect<A, E | E2, R> =>
  Effect.withFiber((parent) =>
    Effect.callback<A, E | E2, R>((resume) => {
      let timedOut: Exit.Exit<A, E2> | undefined
      // The effect has the services of the caller, which types cannot express for a fiber.
      const context = provide === undefined ? parent.context : provide(parent.context)
      const fiber = Effect.runForkWith(context)(effect as Effect.Effect<A, E>)
      const done = fiber.pollUnsafe()
      if (done !== undefined) return resume(done)
      const start = (waitMillis: number): (() => void) =>
        startTimer(clock, waitMillis, () => {
          const end = onTimeout()
          if (typeof end === "number") {
            stop = start(end)
            return
          }
          timedOut = end
          fiber.interruptUnsafe(parent.id)
        })
      let stop = start(millis)
      fiber.addObserver((exit) => {
        stop()
        resume(timedOut ?? exit)
      })
      return Effect.suspend(() => {
        stop()
        return Fiber.interrupt(fiber)
      })
    })
  )
