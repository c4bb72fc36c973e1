/** Money in columns of 64 bits. */
import { NanoUsd } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { SafeIntegers } from "effect/sql/SqlClient"
import { inTime, orUnavailable } from "../orUnavailable.ts"

/** Runs what reads money: a number of JavaScript would lose the last digits. */
export const exactly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  inTime(Effect.provideService(effect, SafeIntegers, true))

/** The same, however long it takes: of money that moves nobody could say whether it has. */
export const exactlyInTheEnd = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, never, R> => orUnavailable(Effect.provideService(effect, SafeIntegers, true))

/** What a column takes: a wider cap is one of this width. */
export const kept = (amount: NanoUsd.NanoUsd): NanoUsd.NanoUsd => NanoUsd.min(amount, NanoUsd.most)
