/** Sets aside what an attempt may cost, under every limit it counts under. */
import * as Effect from "effect/Effect"
import { isKnown, computeMaxCost, type Price } from "../../catalog/Price.ts"
import { Ledger, type Reservation } from "../../ledger/Ledger.ts"
import { LimitExceeded, type ReductionHint } from "../../ledger/LedgerErrors.ts"
import { type Limit, refreshLimit } from "../../ledger/Limit.ts"
import { filterCountedLimits } from "../restrictions/filterCountedLimits.ts"
import type { CandidateTarget } from "../CandidateTarget.ts"
import type { CapabilityTraits, Operation, OutputCap, RouteQuery } from "../RouteQuery.ts"
import type { Exclusion, Reason } from "../Reason.ts"
import type { RejectedCandidate } from "../RejectedCandidate.ts"
import { NoEndpoints } from "../RoutingErrors.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"

export const makeCostReserver = Effect.map(Ledger, (ledger) =>
  /** Undefined where it counts under none. */
  <Capability extends CapabilityTraits, A, R>({ caller, models }: RouteQuery<Capability>, operation: Operation<Capability, A, R>, prospect: CandidateTarget<Capability>, under: { readonly limits: ReadonlyArray<Limit> /** In whose windows it counts, however old the limits are. */; readonly now: number /** By the plan. */; readonly rejected: ReadonlyArray<RejectedCandidate> }): Effect.Effect<Reservation | undefined, LimitExceeded | NoEndpoints> => {
    const { getWorstCase } = operation
    if (getWorstCase === undefined) return Effect.undefined
    const { candidate } = prospect
    const limits = filterCountedLimits(candidate, under.limits).map((limit) =>
      refreshLimit(under.now, limit)
    )
    if (limits.length === 0) return Effect.undefined
    const { price } = candidate
    const usage = getWorstCase(prospect)
    const worst = isKnown(price) ? computeMaxCost(price, usage) : undefined
    if (worst !== undefined) {
      return Effect.mapError(
        ledger.reserve(caller.account, limits, worst, operation.leaseMillis),
        (refused) => {
          const cap = operation.getOutputCap?.(prospect)
          return cap === undefined
            ? refused
            : new LimitExceeded({
                limit: refused.limit,
                amount: refused.amount,
                available: refused.available,
                reductionHint: toSmaller(cap, price, usage, refused)
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
const toSmaller = (
  { answers, overheadTokens, isSent, name }: OutputCap,
  price: Price,
  usage: TokenUsage,
  { amount, available }: LimitExceeded
): ReductionHint => {
  const { outputTokens } = usage
  const inputTokens = usage.inputTokens + (isSent ? 0 : capParameterBytes)
  const others = computeMaxCost(price, { ...usage, inputTokens, outputTokens: 0 }) ?? amount
  const forAnswers = amount - others
  // Both were rounded up.
  const room = available - others - 1n
  const tokens =
    forAnswers > 0n && room > 0n ? Number((room * BigInt(outputTokens)) / forAnswers) : 0
  const affordable = Math.floor(tokens / answers) - overheadTokens
  return {
    parameter: name,
    isSent,
    outputTokens,
    affordableTokens: affordable > 0 ? affordable : undefined
  }
}

/** A cap that is added makes the request longer. */
const capParameterBytes = 48

const unknownPrice: Reason<Exclusion> = {
  rule: "unknown_price",
  source: "account",
  wanted: "a known price, because spending is limited",
  found: "unknown price"
}
