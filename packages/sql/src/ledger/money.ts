/** Money in columns of 64 bits. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { SafeIntegers } from "effect/sql/SqlClient"
import { guardStoreCall, orDieUnavailable } from "../guardStoreCall.ts"

/** Runs what reads money: a number of JavaScript would lose the last digits. */
export const withExactIntegers = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, never, R> => guardStoreCall(Effect.provideService(effect, SafeIntegers, true))

/** The same, however long it takes: of money that moves nobody could say whether it has. */
export const withExactIntegersUntimed = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, never, R> => orDieUnavailable(Effect.provideService(effect, SafeIntegers, true))

/** What a column takes: a wider cap is one of this width. */
export const clampAmount = (amount: NanoUsd.NanoUsd): NanoUsd.NanoUsd =>
  NanoUsd.min(amount, NanoUsd.maxAmount)
