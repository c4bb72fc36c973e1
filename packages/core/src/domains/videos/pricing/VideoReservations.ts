/** The reservations of a video job: made before it is accepted, renewed while it runs, settled when it ends. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { computeCost } from "../../../engine/catalog/endpoint/computeCost.ts"
import { Ledger } from "../../../engine/ledger/Ledger.ts"
import type { LimitExceeded } from "../../../engine/ledger/LedgerErrors.ts"
import type { Limit } from "../../../engine/ledger/Limit.ts"
import { type Candidate, isByok } from "../../../routing/Candidate.ts"
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { ImplausibleReport } from "../../../engine/observability/generations/Generation.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { VideoReservation, VideoJob } from "../VideoJob.ts"

export interface Bill {
  readonly cost: NanoUsd.NanoUsd
  /** The customer pays the provider; the cost counts under limits that count BYOK spend. */
  readonly isByok: boolean
  /** The cost the provider reported, when it is too high to be true. */
  readonly implausible?: ImplausibleReport
}

/** Reserves and settles the money of jobs. */
export class VideoReservations extends Context.Service<
  VideoReservations,
  {
    /**
     * Reserves the highest price among the candidates, because the one that takes the job is not known yet.
     * Limits that count BYOK spend and limits that do not have a reservation each: a job that runs on a
     * customer's credential settles only the first.
     */
    readonly reserve: (
      account: AccountId,
      limits: ReadonlyArray<Limit>,
      candidates: ReadonlyArray<Candidate>,
      leaseMillis: number
    ) => Effect.Effect<ReadonlyArray<VideoReservation>, LimitExceeded>
    /** Renews a lease after half of its time, and returns when the lease ends. */
    readonly renew: (
      job: Pick<VideoJob, "reservations" | "reservedUntil">,
      leaseMillis: number
    ) => Effect.Effect<number>
    /** Releases everything when there is no bill. */
    readonly settle: (
      reservations: ReadonlyArray<VideoReservation>,
      bill: Bill | undefined
    ) => Effect.Effect<void>
  }
>()("@signalbox/core/domains/videos/pricing/VideoReservations") {
  static readonly layer = Layer.effect(
    VideoReservations,
    Effect.map(Ledger, (ledger) => ({
      reserve: Effect.fnUntraced(function* (account, limits, candidates, leaseMillis) {
        const reservations: Array<VideoReservation> = []
        for (const countsByok of [false, true]) {
          const counting = limits.filter((limit) => limit.countsByok === countsByok)
          const amount = findHighestCost(candidates.filter((each) => countsByok || !isByok(each)))
          if (counting.length === 0 || amount === undefined) continue
          const { id } = yield* ledger.reserve(account, counting, amount, leaseMillis)
          reservations.push({ reservation: id, countsByok })
        }
        return reservations
      }),
      renew: Effect.fnUntraced(function* ({ reservations, reservedUntil }, leaseMillis) {
        const now = yield* Clock.currentTimeMillis
        const left = reservedUntil - now
        // More than a whole lease is left only when the clock has been set back, and the lease may end earlier.
        if (left >= leaseMillis / 2 && left <= leaseMillis) return reservedUntil
        for (const { reservation } of reservations)
          yield* ledger.toReservation(reservation).renew(leaseMillis)
        return now + leaseMillis
      }),
      settle: (reservations, bill) =>
        Effect.forEach(
          reservations,
          ({ countsByok, reservation: id }) => {
            const reservation = ledger.toReservation(id)
            return bill === undefined || (bill.isByok && !countsByok)
              ? reservation.release
              : reservation.settle(bill.cost)
          },
          { discard: true }
        )
    }))
  )
}

/** Undefined when no candidate has a known price. */
const findHighestCost = (candidates: ReadonlyArray<Candidate>): NanoUsd.NanoUsd | undefined => {
  const costs = candidates.flatMap(({ price }) => computeCost(price, oneRequest) ?? [])
  return costs.length === 0 ? undefined : costs.reduce(NanoUsd.max)
}

const oneRequest = { inputTokens: 0, outputTokens: 0 }
