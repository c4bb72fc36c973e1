/** Whether an effect has its result already, so that its caller goes on without waiting. */
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

/** `Exit.isExit` that keeps the types of the effect. */
export const isExit = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Exit<A, E> =>
  Exit.isExit(effect)

/** Whether an effect has succeeded already. Checking it before `Effect.flatMap` saves the closure. */
export const isSuccess = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Success<A, E> =>
  Exit.isExit(effect) && Exit.isSuccess(effect)
