/** The money of a video job: set aside before it is accepted, kept while it lives, paid when it ends. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { computeCost } from "../../catalog/Price.ts"
import { Ledger } from "../../ledger/Ledger.ts"
import type { LimitExceeded } from "../../ledger/LedgerErrors.ts"
import type { Limit } from "../../ledger/Limit.ts"
import { type Candidate, isByok } from "../../routing/Candidate.ts"
import type { AccountId } from "../../values/ids/AccountId.ts"
import type { ImplausibleReport } from "../../observability/Generation.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { VideoReservation, VideoJob } from "../VideoJob.ts"

export interface Bill {
  readonly cost: NanoUsd.NanoUsd
  /** The customer pays the provider: it counts where limits say so. */
  readonly isByok: boolean
  /** What the provider stated instead, and cannot be. */
  readonly implausible?: ImplausibleReport
}

export const makeVideoReservations = Effect.map(Ledger, (ledger) => ({
  /**
   * As much as the dearest of those who may get it: who that is, is not known yet. Twice, because limits that
   * do not count customers' own credentials are owed nothing by a job that runs on one.
   */
  reserve: Effect.fnUntraced(function* (
    account: AccountId,
    limits: ReadonlyArray<Limit>,
    candidates: ReadonlyArray<Candidate>,
    leaseMillis: number
  ): Effect.fn.Return<ReadonlyArray<VideoReservation>, LimitExceeded> {
    const held: Array<VideoReservation> = []
    for (const countsByok of [false, true]) {
      const counting = limits.filter((limit) => limit.countsByok === countsByok)
      const amount = findHighestCost(candidates.filter((each) => countsByok || !isByok(each)))
      if (counting.length === 0 || amount === undefined) continue
      const { id } = yield* ledger.reserve(account, counting, amount, leaseMillis)
      held.push({ reservation: id, countsByok })
    }
    return held
  }),
  /** Renews what is half over; until when it is held then. */
  renew: Effect.fnUntraced(function* (
    { reservations, reservedUntil }: Pick<VideoJob, "reservations" | "reservedUntil">,
    leaseMillis: number
  ) {
    const now = yield* Clock.currentTimeMillis
    if (reservedUntil - now >= leaseMillis / 2) return reservedUntil
    for (const { reservation } of reservations)
      yield* ledger.toReservation(reservation).renew(leaseMillis)
    return now + leaseMillis
  }),
  /** Without a bill all of it is given back. */
  settle: (held: ReadonlyArray<VideoReservation>, bill: Bill | undefined): Effect.Effect<void> =>
    Effect.forEach(
      held,
      ({ countsByok, reservation }) => {
        const { release, settle } = ledger.toReservation(reservation)
        return bill === undefined || (bill.isByok && !countsByok) ? release : settle(bill.cost)
      },
      { discard: true }
    )
}))

/** Undefined when nobody knows of any. */
const findHighestCost = (candidates: ReadonlyArray<Candidate>): NanoUsd.NanoUsd | undefined => {
  const costs = candidates.flatMap(({ price }) => computeCost(price, oneRequest) ?? [])
  return costs.length === 0 ? undefined : costs.reduce(NanoUsd.max)
}

const oneRequest = { inputTokens: 0, outputTokens: 0 }
