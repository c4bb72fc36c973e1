/** Sets aside what an attempt may cost, under every limit it counts under. */
import * as Effect from "effect/Effect"
import { isKnown, mostOf, type Price } from "../catalog/Price.ts"
import { Ledger, type Reservation } from "../ledger/Ledger.ts"
import { LimitExceeded, type Smaller } from "../ledger/LedgerErrors.ts"
import { type Limit, within } from "../ledger/Limit.ts"
import { countingFor } from "./countingFor.ts"
import type { Prospect } from "./Prospect.ts"
import type { Offer, Operation, OutputCap, Query } from "./Query.ts"
import type { Exclusion, Reason } from "./Reason.ts"
import type { Rejected } from "./Rejected.ts"
import { NoEndpoints } from "./RoutingErrors.ts"
import type { TokenUsage } from "../values/TokenUsage.ts"

export const reserving = Effect.map(Ledger, (ledger) =>
  /** Undefined where it counts under none. */
  <Capability extends Offer, A, R>({ caller, models }: Query<Capability>, operation: Operation<Capability, A, R>, prospect: Prospect<Capability>, under: { readonly limits: ReadonlyArray<Limit> /** In whose windows it counts, however old the limits are. */; readonly now: number /** By the plan. */; readonly rejected: ReadonlyArray<Rejected> }): Effect.Effect<Reservation | undefined, LimitExceeded | NoEndpoints> => {
    const { worstCase } = operation
    if (worstCase === undefined) return Effect.undefined
    const { candidate } = prospect
    const limits = countingFor(candidate, under.limits).map((limit) => within(under.now, limit))
    if (limits.length === 0) return Effect.undefined
    const { price } = candidate
    const usage = worstCase(prospect)
    const worst = isKnown(price) ? mostOf(price, usage) : undefined
    if (worst !== undefined) {
      return Effect.mapError(
        ledger.reserve(caller.account, limits, worst, operation.leaseMillis),
        (refused) => {
          const cap = operation.cap?.(prospect)
          return cap === undefined
            ? refused
            : new LimitExceeded({
                limit: refused.limit,
                amount: refused.amount,
                available: refused.available,
                smaller: smallerOf(cap, price, usage, refused)
              })
        }
      )
    }
    // Planned while spending was unlimited: the next plan will say the same.
    return Effect.fail(
      new NoEndpoints({
        models,
        rejected: [...under.rejected, { candidate, reasons: [unknownPrice] }]
      })
    )
  }
)

/** The cost of an answer grows with its tokens, each by the same: so many as there is money for would find room. */
const smallerOf = (
  { answers, beside, isSent, name }: OutputCap,
  price: Price,
  usage: TokenUsage,
  { amount, available }: LimitExceeded
): Smaller => {
  const { outputTokens } = usage
  const inputTokens = usage.inputTokens + (isSent ? 0 : parameterBytes)
  const others = mostOf(price, { ...usage, inputTokens, outputTokens: 0 }) ?? amount
  const forAnswers = amount - others
  // Both were rounded up.
  const room = available - others - 1n
  const tokens =
    forAnswers > 0n && room > 0n ? Number((room * BigInt(outputTokens)) / forAnswers) : 0
  const affordable = Math.floor(tokens / answers) - beside
  return {
    parameter: name,
    isSent,
    outputTokens,
    affordable: affordable > 0 ? affordable : undefined
  }
}

/** A cap that is added makes the request longer. */
const parameterBytes = 48

const unknownPrice: Reason<Exclusion> = {
  rule: "unknown_price",
  source: "account",
  wanted: "a known price, because spending is limited",
  found: "unknown price"
}
