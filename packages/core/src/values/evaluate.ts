/** Runs code that returns an effect, outside of any effect. */
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** Calls `run` at once. Errors that it throws are defects, as in `Effect.suspend`. */
export const evaluate = <A, E, R>(run: () => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  try {
    return run()
  } catch (defect) {
    return Exit.die(defect)
  }
}
