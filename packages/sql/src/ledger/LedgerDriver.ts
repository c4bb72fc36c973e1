/** The ledger operations that each database implements in its own way, because they race. */
import type { NanoUsd } from "@signalbox/core/stores"
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

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
  readonly now: number
  readonly expiresAt: number
  readonly limits: ReadonlyArray<LedgerLimit>
}

/** The first limit without room, by its index, and the amount it has left. */
export interface ReserveRejection {
  readonly limitIndex: number
  readonly available: NanoUsd.NanoUsd
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
}
