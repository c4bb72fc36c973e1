/** Whether an effect has its result already, so that its caller goes on without waiting. */
import type * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"

/** `Exit.isExit` that keeps the types of the effect, and need not ask whether it is an object. */
export const isExit = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Exit<A, E> =>
  "~effect/Exit" in effect

/** Whether an effect has succeeded already. Checking it before `Effect.flatMap` saves the closure. */
export const isSuccess = <A, E, R>(effect: Effect.Effect<A, E, R>): effect is Exit.Success<A, E> =>
  isExit(effect) && effect._tag === "Success"
