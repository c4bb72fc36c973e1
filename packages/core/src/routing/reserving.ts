/** Sets aside what an attempt may cost, under every limit it counts under. */
import * as Effect from "effect/Effect"
import { costOf, isKnown } from "../catalog/Price.ts"
import { Ledger, type Reservation } from "../ledger/Ledger.ts"
import type { LimitExceeded } from "../ledger/LedgerErrors.ts"
import { type Limit, within } from "../ledger/Limit.ts"
import { countingFor } from "./countingFor.ts"
import type { Prospect } from "./Prospect.ts"
import type { Offer, Operation, Query } from "./Query.ts"
import type { Exclusion, Reason } from "./Reason.ts"
import type { Rejected } from "./Rejected.ts"
import { NoEndpoints } from "./RoutingErrors.ts"

export const reserving = Effect.map(Ledger, (ledger) =>
  /** Undefined where it counts under none. */
  <Capability extends Offer, A, R>({ caller, models }: Query<Capability>, operation: Operation<Capability, A, R>, prospect: Prospect<Capability>, under: { readonly limits: ReadonlyArray<Limit> /** In whose windows it counts, however old the limits are. */; readonly now: number /** By the plan. */; readonly rejected: ReadonlyArray<Rejected> }): Effect.Effect<Reservation | undefined, LimitExceeded | NoEndpoints> => {
    const { worstCase } = operation
    if (worstCase === undefined) return Effect.undefined
    const { candidate } = prospect
    const limits = countingFor(candidate, under.limits).map((limit) => within(under.now, limit))
    if (limits.length === 0) return Effect.undefined
    const { price } = candidate
    const worst = isKnown(price) ? costOf(price, worstCase(prospect)) : undefined
    if (worst !== undefined)
      return ledger.reserve(caller.account, limits, worst, operation.leaseMillis)
    // Planned while spending was unlimited: the next plan will say the same.
    return Effect.fail(
      new NoEndpoints({
        models,
        rejected: [...under.rejected, { candidate, reasons: [unknownPrice] }]
      })
    )
  }
)

const unknownPrice: Reason<Exclusion> = {
  rule: "unknown_price",
  source: "account",
  wanted: "a known price, because spending is limited",
  found: "unknown price"
}
