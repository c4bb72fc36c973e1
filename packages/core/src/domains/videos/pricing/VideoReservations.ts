/** The reservations of a video job: made before it is accepted, renewed while it runs, settled when it ends. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { computeCost } from "../../../engine/catalog/endpoint/computeCost.ts"
import { Ledger } from "../../../engine/ledger/Ledger.ts"
import type { LimitExceeded } from "../../../engine/ledger/LedgerErrors.ts"
import { Limit } from "../../../engine/ledger/Limit.ts"
import { CurrentSettledLimits } from "../../../engine/ledger/SettledLimits.ts"
import { type Candidate, isByok } from "../../../routing/Candidate.ts"
import type { SkippedCandidate } from "../../../routing/RouteQuery.ts"
import { isCounted, isOfCandidates } from "../../../routing/restrictions/selectLimits.ts"
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { ImplausibleReport } from "../../../engine/observability/generations/Generation.ts"
import * as NanoUsd from "../../../values/usage/NanoUsd.ts"
import type { VideoReservation, VideoJob } from "../VideoJob.ts"

export interface Bill {
  readonly cost: NanoUsd.NanoUsd
  /** The customer pays the provider; the cost counts under limits that count BYOK spend. */
  readonly isByok: boolean
  /** The id of the candidate that ran the job. */
  readonly candidate: string
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
     * customer's credential settles only the first. A budget of models or providers has a reservation of its own, and
     * rules out its candidates where it has no room for them.
     */
    readonly reserve: (
      account: AccountId,
      limits: ReadonlyArray<Limit>,
      candidates: ReadonlyArray<Candidate>,
      leaseMillis: number
    ) => Effect.Effect<ReservedCandidates, LimitExceeded>
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
    /** Tells alerts of the limits, once the transaction that settled has committed. */
    readonly report: (
      account: AccountId,
      reservations: ReadonlyArray<VideoReservation>
    ) => Effect.Effect<void>
  }
>()("@signalbox/core/domains/videos/pricing/VideoReservations") {
  static readonly layer = Layer.effect(
    VideoReservations,
    Effect.zipWith(Ledger, CurrentSettledLimits, (ledger, settledLimits) => ({
      reserve: Effect.fnUntraced(function* (account, limits, candidates, leaseMillis) {
        const reservations: Array<VideoReservation> = []
        const skipped: Array<SkippedCandidate> = []
        let open = candidates
        for (const limit of limits.filter(isOfCandidates)) {
          const counted = open.filter(
            (each) => isCounted(each, limit) && (limit.countsByok || !isByok(each))
          )
          const priced = counted.filter(hasKnownPrice)
          const amount = findHighestCost(priced)
          if (limit.soft !== true) {
            open = open.filter((each) => !counted.includes(each) || priced.includes(each))
          }
          if (amount === undefined) continue
          const reserving = yield* Effect.result(
            ledger.reserve(account, [limit], amount, leaseMillis)
          )
          if (Result.isSuccess(reserving)) {
            reservations.push({
              reservation: reserving.success.id,
              countsByok: limit.countsByok,
              candidates: counted.map(({ id }) => id),
              ...(settledLimits === undefined ? undefined : { limits: encodeLimits([limit]) })
            })
            continue
          }
          const exceeded = reserving.failure
          skipped.push(...counted.map((candidate) => ({ candidate, exceeded })))
          open = open.filter((each) => !counted.includes(each))
          if (open.length === 0) return yield* exceeded
        }
        const common = limits.filter((limit) => !isOfCandidates(limit))
        for (const countsByok of [false, true]) {
          const counting = common.filter((limit) => limit.countsByok === countsByok)
          const amount = findHighestCost(open.filter((each) => countsByok || !isByok(each)))
          if (counting.length === 0 || amount === undefined) continue
          const { id } = yield* ledger.reserve(account, counting, amount, leaseMillis)
          reservations.push({
            reservation: id,
            countsByok,
            ...(settledLimits === undefined ? undefined : { limits: encodeLimits(counting) })
          })
        }
        return { reservations, candidates: open, skipped }
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
          ({ candidates, countsByok, reservation: id }) => {
            const reservation = ledger.toReservation(id)
            return bill === undefined ||
              (bill.isByok && !countsByok) ||
              candidates?.includes(bill.candidate) === false
              ? reservation.release
              : reservation.settle(bill.cost)
          },
          { discard: true }
        ),
      report: (account, reservations) =>
        Effect.sync(() => {
          for (const { limits } of reservations) {
            if (limits !== undefined) settledLimits?.add(account, decodeLimits(limits))
          }
        })
    }))
  )
}

/** The reservations of a job, and the candidates that may run it; none when no budget has a candidate of known price. */
export interface ReservedCandidates {
  readonly reservations: ReadonlyArray<VideoReservation>
  readonly candidates: ReadonlyArray<Candidate>
  /** Those that a budget has no room for. */
  readonly skipped: ReadonlyArray<SkippedCandidate>
}

const hasKnownPrice = ({ price }: Candidate): boolean =>
  computeCost(price, oneRequest) !== undefined
const Limits = Schema.toCodecJson(Schema.Array(Limit))
const encodeLimits = Schema.encodeSync(Limits)
const decodeLimits = Schema.decodeUnknownSync(Limits)

/** Undefined when no candidate has a known price. */
const findHighestCost = (candidates: ReadonlyArray<Candidate>): NanoUsd.NanoUsd | undefined => {
  const costs = candidates.flatMap(({ price }) => computeCost(price, oneRequest) ?? [])
  return costs.length === 0 ? undefined : costs.reduce(NanoUsd.max)
}

const oneRequest = { inputTokens: 0, outputTokens: 0 }
