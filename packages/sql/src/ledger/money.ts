/** Reads and writes money in 64-bit columns. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { SafeIntegers } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { guardStoreCall, orDieUnavailable } from "../errors/guardStoreCall.ts"

/** Guards a store call that reads integers as `bigint`: a `number` would lose the last digits. */
export const withExactIntegers = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  guardStoreCall(Effect.provideService(effect, SafeIntegers, true))

/** `withExactIntegers` without a timeout, which would leave unknown whether money has moved. */
export const withExactIntegersUntimed = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  orDieUnavailable(Effect.provideService(effect, SafeIntegers, true))

/** Limits an amount to what a column can hold. */
export const clampAmount = (amount: NanoUsd.NanoUsd): NanoUsd.NanoUsd =>
  NanoUsd.min(amount, NanoUsd.maxAmount)
