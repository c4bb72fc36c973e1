/** What each of the two databases does in a way of its own: the verbs that race. */
import type { NanoUsd } from "@signalbox/core/stores"
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

/** A limit to reserve under. */
export interface LedgerLimit {
  readonly counterKey: string
  readonly cap: NanoUsd.NanoUsd
  /** When its window is over, in milliseconds since the epoch; null: never. */
  readonly endsAt: number | null
  readonly countsByok: boolean
  /** Whose spending counts at least; null: nobody's. */
  readonly subject: string | null
  readonly interval: string
  /** When the window of `interval` began; after a clock was set back, spending of later windows counts too. */
  readonly beganAt: number
}

export interface ReserveCommand {
  readonly id: string
  readonly amount: NanoUsd.NanoUsd
  readonly now: number
  readonly expiresAt: number
  readonly limits: ReadonlyArray<LedgerLimit>
}

/** The first limit that has no room, by its place, and what it has left. */
export interface ReserveRejection {
  readonly limitIndex: number
  readonly available: NanoUsd.NanoUsd
}

export interface LedgerDriver {
  readonly reserve: (
    request: ReserveCommand
  ) => Effect.Effect<ReserveRejection | undefined, SqlError>
  /** What is charged of what is owed; undefined when it has ended already. */
  readonly end: (
    id: string,
    owed: NanoUsd.NanoUsd
  ) => Effect.Effect<NanoUsd.NanoUsd | undefined, SqlError>
}
