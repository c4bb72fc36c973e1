/** Money that is reserved for the first attempt of a plan before the plan is run. */
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { Reservation } from "../../engine/ledger/Ledger.ts"
import * as Effect from "effect/Effect"
import type { NoEndpoints } from "../RoutingErrors.ts"

/** Why nothing could be reserved. */
export type HoldProblem = LimitExceeded | NoEndpoints | "timeout" | "upstream"

/** A reservation that waits for the attempt at one candidate. */
export class Hold {
  /** Absent: the first attempt can be paid for. */
  readonly problem: HoldProblem | undefined
  readonly #candidate: string | undefined
  readonly #release: (reservation: Reservation) => Effect.Effect<void>
  #reservation: Reservation | undefined

  constructor(
    candidate: string | undefined,
    reservation: Reservation | undefined,
    release: (reservation: Reservation) => Effect.Effect<void>,
    problem?: HoldProblem
  ) {
    this.#candidate = candidate
    this.#reservation = reservation
    this.#release = release
    this.problem = problem
  }

  /** The reservation, once and for its candidate only. From then on the attempt settles or releases it. */
  take(candidate: string): Reservation | undefined {
    if (candidate !== this.#candidate) return undefined
    const reservation = this.#reservation
    this.#reservation = undefined
    return reservation
  }

  /** Releases what no attempt has taken. */
  get release(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const reservation = this.#reservation
      this.#reservation = undefined
      return reservation === undefined ? Effect.void : this.#release(reservation)
    })
  }
}
