/** `Effect.onExit` that runs at once after an effect that has its result already. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { evaluate } from "./evaluate.ts"
import { isExit } from "./isExit.ts"

export const onExitEager = <A, E, R, R2>(
  self: Effect.Effect<A, E, R>,
  finalize: (exit: Exit.Exit<A, E>) => Effect.Effect<void, never, R2>
): Effect.Effect<A, E, R | R2> => {
  if (!isExit(self)) return Effect.onExit(self, finalize)
  const finalizer = evaluate(() => finalize(self))
  return isExit(finalizer) && Exit.isSuccess(finalizer)
    ? self
    : Effect.onExit(self, () => finalizer)
}
