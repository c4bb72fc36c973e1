/** Effects that have their result at hand. */
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** `Exit.isExit` that keeps the types of the effect, and need not ask whether it is an object. */
export const isExit = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Exit<A, E> =>
  "~effect/Exit" in effect

/** Whether an effect has succeeded already. Checking it before `Effect.flatMap` saves the closure. */
export const isSuccess = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Success<A, E> =>
  isExit(effect) && effect._tag === "Success"

/** Calls `run` at once. Errors that it throws are defects, as in `Effect.suspend`. */
export const evaluate = <A, E, R>(run: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  try {
    return run()
  } catch (defect) {
    return Exit.die(defect)
  }
}
