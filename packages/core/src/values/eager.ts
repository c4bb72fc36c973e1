/** Effects that have their result at hand. */
import * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** What all successes, and all failures, inherit from. Errors of a host are effects, too, and may have the same tags. */
const successes: object = Object.getPrototypeOf(Exit.void)
const failures: object = Object.getPrototypeOf(Exit.failCause(Cause.empty))

/**
 * `Exit.isExit` that keeps the types of the effect. V8 looks up a name by `in` anew each time, about a hundred times a request:
 * 25 ns, and 10 to compare prototypes.
 */
export const isExit = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Exit<A, E> =>
  successes.isPrototypeOf(effect) || failures.isPrototypeOf(effect)

/** Whether an effect has succeeded already. Checking it before `Effect.flatMap` saves the closure. */
export const isSuccess = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Success<A, E> =>
  successes.isPrototypeOf(effect)

/** Calls `run` at once. Errors that it throws are defects, as in `Effect.suspend`. */
export const evaluate = <A, E, R>(run: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  try {
    return run()
  } catch (defect) {
    return Exit.die(defect)
  }
}
