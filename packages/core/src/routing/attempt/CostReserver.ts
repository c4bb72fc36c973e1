/** Reserves what an attempt may cost, under every limit that its cost counts under. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { computeMaxCost } from "../../engine/catalog/endpoint/computeCost.ts"
import { isKnown, type Price } from "../../engine/catalog/endpoint/Price.ts"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import { Ledger, type Reservation } from "../../engine/ledger/Ledger.ts"
import { LimitExceeded, type ReductionHint } from "../../engine/ledger/LedgerErrors.ts"
import { type Limit, refreshLimits } from "../../engine/ledger/Limit.ts"
import { catchUpstreamDefect } from "../../engine/upstreams/containUpstream.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { Settings } from "../../instance/Settings.ts"
import { evaluate, isExit } from "../../values/eager.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { CandidateTarget } from "../CandidateTarget.ts"
import type { RouteWork, OutputCap } from "../RouteWork.ts"
import type { Exclusion, Reason } from "../Reason.ts"
import { type CallerRestrictions, RestrictionLoader } from "../restrictions/RestrictionLoader.ts"
import { selectLimits } from "../restrictions/selectLimits.ts"
import type { PreparedRoute } from "../RoutePreparer.ts"
import type { CapabilityTraits } from "../RouteQuery.ts"
import { listServerTools } from "../serverTools/boundServerTools.ts"
import { findUnboundedTool } from "../serverTools/resolveToolModels.ts"
import { NoEndpoints } from "../RoutingErrors.ts"
import { selectDearestPrice } from "../ServedPrices.ts"
import * as Step from "../../values/Step.ts"

/** Reserves the worst case of attempts. */
export class CostReserver extends Context.Service<
  CostReserver,
  {
    /**
     * Undefined, without waiting, when the cost counts under no limit. The first attempt uses the limits of the
     * plan; later ones load them again, because credits may have been granted since. `now` selects the windows.
     */
    readonly reserve: <Capability extends CapabilityTraits, A, R>(
      prepared: PreparedRoute<Capability>,
      work: RouteWork<Capability, A, R>,
      target: CandidateTarget<Capability>,
      now: number,
      isFirst: boolean
    ) =>
      | Effect.Effect<Reservation | undefined, LimitExceeded | NoEndpoints | UpstreamFailure>
      | undefined
  }
>()("@signalbox/core/routing/attempt/CostReserver") {
  static readonly layer = Layer.effect(
    CostReserver,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const restrictions = yield* RestrictionLoader
      const calendar = getCalendar(yield* Settings)

      const reserveUnder = <Capability extends CapabilityTraits, A, R>(
        { planned, query: { caller, models, requirements } }: PreparedRoute<Capability>,
        work: RouteWork<Capability, A, R>,
        target: CandidateTarget<Capability>,
        allLimits: ReadonlyArray<Limit>,
        now: number
      ): Effect.Effect<Reservation | undefined, LimitExceeded | NoEndpoints> => {
        if (work.getWorstCase === undefined) return Effect.undefined
        const { candidate } = target
        const limits = refreshLimits(calendar, now, selectLimits(candidate, allLimits))
        if (limits.length === 0) return Effect.undefined
        const usage = work.getWorstCase(target)
        const price = selectDearestPrice(
          candidate,
          usage,
          work.getRequestedService?.(target)?.models
        )
        const tool = findUnboundedTool(candidate, requirements)
        const worst =
          tool === undefined && isKnown(candidate.price) ? computeMaxCost(price, usage) : undefined
        if (worst === undefined && limits.every(isSoft)) {
          return ledger.reserve(caller.account, limits, NanoUsd.zero, work.leaseMillis)
        }
        if (worst === undefined) {
          // The plan was made while spending was unlimited; a new plan rejects the candidate for this reason.
          const reason = tool === undefined ? unknownPrice : { ...unknownTools, found: tool }
          const rejected = [...planned.plan.rejected, { candidate, reasons: [reason] }]
          return Effect.fail(new NoEndpoints({ models, rejected }))
        }
        return Step.mapError(
          ledger.reserve(caller.account, limits, worst, work.leaseMillis),
          (exceeded) => {
            const cap = work.getOutputCap?.(target)
            const reads = listServerTools(requirements.serverTools, candidate).length > 0
            return cap === undefined && !reads
              ? exceeded
              : new LimitExceeded({
                  limit: exceeded.limit,
                  amount: exceeded.amount,
                  available: exceeded.available,
                  ...(exceeded.held === undefined ? undefined : { held: exceeded.held }),
                  ...(reads ? { readableTokens: usage.inputTokens } : undefined),
                  ...(cap === undefined
                    ? undefined
                    : { reductionHint: toReductionHint(cap, price, usage, exceeded) })
                })
          }
        )
      }

      return {
        reserve: (prepared, work, target, now, isFirst) => {
          const { limits } = prepared.planned
          const { budget: own = noLimits, caller, chargedTo, externalUser, trial } = prepared.query
          const isTrial = trial?.model === target.candidate.endpoint.model
          const budget = isTrial ? [...own, ...trial.limits] : own
          const isUnlimited = isFirst && limits.length === 0 && budget.length === 0
          if (isUnlimited || (isFirst && work.getWorstCase === undefined)) return undefined
          const reserving = evaluate(() =>
            Step.flatMap(
              isFirst || chargedTo !== undefined
                ? Effect.succeed(limits)
                : Step.map(restrictions.load(caller, externalUser), getLimits),
              (latest) =>
                Step.flatMap(work.prepareWorstCase?.() ?? Effect.void, () =>
                  reserveUnder(
                    prepared,
                    work,
                    target,
                    budget.length === 0 ? latest : [...latest, ...budget],
                    now
                  )
                )
            )
          )
          return isExit(reserving) && Exit.isSuccess(reserving)
            ? reserving
            : catchUpstreamDefect(reserving)
        }
      }
    })
  )
}

const noLimits: ReadonlyArray<Limit> = []

const getLimits = ({ limits }: CallerRestrictions): ReadonlyArray<Limit> => limits

const isSoft = ({ soft }: Limit): boolean => soft === true

/** The cost of an answer is linear in its tokens, which gives the number of tokens that fits the available money. */
const toReductionHint = (
  { answers, overheadTokens, isSent, name }: OutputCap,
  price: Price,
  usage: TokenUsage,
  { amount, available }: LimitExceeded
): ReductionHint => {
  const { outputTokens } = usage
  const inputTokens = usage.inputTokens + (isSent ? 0 : capParameterBytes)
  const others = computeMaxCost(price, { ...usage, inputTokens, outputTokens: 0 }) ?? amount
  const forAnswers = amount - others
  // Both costs are rounded up.
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

/** Adding a cap lengthens the request by about so many bytes. */
const capParameterBytes = 48

const unknownPrice: Reason<Exclusion> = {
  rule: "unknown_price",
  source: "account",
  wanted: "a known price, because spending is limited",
  found: "unknown price"
}

const unknownTools = {
  rule: "server_tools",
  source: "account",
  wanted: "a known worst case of tools that the provider runs, because spending is limited"
} as const
