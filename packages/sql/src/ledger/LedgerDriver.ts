/** The ledger operations that each database implements in its own way, because they race. */
import type { LimitExceeded, NanoUsd } from "@signalbox/core/stores"
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

/** What running requests hold of a limit. */
export type HeldAmount = NonNullable<LimitExceeded["held"]>

/** A limit to reserve under. */
export interface LedgerLimit {
  readonly counterKey: string
  readonly cap: NanoUsd.NanoUsd
  /** When the window ends, in milliseconds since the epoch; null: never. */
  readonly endsAt: number | null
  readonly countsByok: boolean
  /** The subject whose recorded spending counts as settled at least; null: no subject. */
  readonly subject: string | null
  readonly interval: string
  /** When the window of `interval` began. Later windows count too, in case the clock was set back. */
  readonly beganAt: number
}

export interface ReserveCommand {
  readonly id: string
  readonly amount: NanoUsd.NanoUsd
  readonly leaseMillis: number
  readonly limits: ReadonlyArray<LedgerLimit>
}

/** The first limit without room, by its index, the amount it has left, and what running requests hold of it. */
interface ReserveRejection {
  readonly limitIndex: number
  readonly available: NanoUsd.NanoUsd
  readonly held: HeldAmount | undefined
}

export interface LedgerDriver {
  /** Reserves under every limit or under none. */
  readonly reserve: (
    request: ReserveCommand
  ) => Effect.Effect<ReserveRejection | undefined, SqlError>
  /** Ends a reservation and returns the part of `owed` that is charged; undefined if it has already ended. */
  readonly end: (
    id: string,
    owed: NanoUsd.NanoUsd
  ) => Effect.Effect<NanoUsd.NanoUsd | undefined, SqlError>
  /** Extends a reservation; false if it has ended or expired. */
  readonly renew: (id: string, leaseMillis: number) => Effect.Effect<boolean, SqlError>
}

/** A limit in the `limits` column of a reservation. */
export interface ReservedLimit {
  readonly counterKey: string
  readonly cap: string
}

/** The lowest cap of each counter: limits may share one. */
export const toReservedLimits = (
  limits: ReadonlyArray<LedgerLimit>
): ReadonlyArray<ReservedLimit> => {
  const capByCounter = new Map<string, bigint>()
  for (const { cap, counterKey } of limits) {
    const known = capByCounter.get(counterKey)
    if (known === undefined || cap < known) capByCounter.set(counterKey, cap)
  }
  return Array.from(capByCounter, ([counterKey, cap]) => ({ counterKey, cap: cap.toString() }))
}
