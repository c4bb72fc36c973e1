/** The usage and cost of an attempt: as the provider reports them, capped at the plausible maximum. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { isKnown } from "../../engine/catalog/endpoint/Price.ts"
import { computeMaxCost } from "../../engine/catalog/endpoint/computeCost.ts"
import type { ImplausibleReport } from "../../engine/observability/generations/Generation.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { ServedAs } from "../../values/usage/ModelUsage.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import { type Candidate, isByok } from "../Candidate.ts"
import type { SeenAnswer } from "../RouteWork.ts"
import { computeServedCost, selectDearestPrice } from "../ServedPrices.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { capUsage, type UsageBounds } from "./capUsage.ts"

/** The usage and cost that an answer reports. */
interface ReportedCharge {
  readonly usage?: TokenUsage
  readonly isEstimated?: true
  readonly hasRead?: true
  readonly servedAs?: ServedAs
  readonly cost?: NanoUsd.NanoUsd
}

/** The usage reported while the attempt ran. */
export interface ObservedUsage {
  readonly usage: TokenUsage
  /** It was estimated, not reported by the provider. */
  readonly isEstimated: boolean
  /** What else the provider had reported of the answer; absent: nothing. */
  readonly seen?: SeenAnswer | undefined
}

type AttemptCharge = Pick<
  RouteAttempt,
  "usage" | "cost" | "upstreamCost" | "estimated" | "implausible"
>

/** An attempt on a customer's own credential costs nothing here. `now` selects among prices that depend on the time. */
export const assessCharge = (
  candidate: Candidate,
  exit: Exit.Exit<ReportedCharge, UpstreamFailure>,
  observedUsage: ObservedUsage | undefined,
  usageBounds: UsageBounds | undefined,
  now: number
): AttemptCharge => {
  const { estimated, usage: resolvedUsage } = Exit.isSuccess(exit)
    ? { usage: exit.value.usage, estimated: exit.value.isEstimated }
    : resolveUsage(exit, observedUsage, usageBounds)
  const hasRead = Exit.isSuccess(exit) ? exit.value.hasRead : observedUsage?.seen?.hasRead
  const excess =
    resolvedUsage === undefined || usageBounds === undefined
      ? undefined
      : capUsage(resolvedUsage, usageBounds, candidate, hasRead === true)
  const usage = excess === undefined ? resolvedUsage : excess.usage
  const servedAs = Exit.isSuccess(exit)
    ? exit.value.servedAs
    : (observedUsage?.seen?.servedAs ?? usageBounds?.getRequestedService?.())
  const listCost =
    usage === undefined
      ? undefined
      : computeServedCost(candidate, usage, excess === undefined ? servedAs : whole(servedAs), now)
  const reportedCost = Exit.isSuccess(exit) ? exit.value.cost : observedUsage?.seen?.cost
  const excessCost =
    reportedCost === undefined
      ? undefined
      : findImplausibleCost(candidate, reportedCost, listCost, usageBounds)
  const implausible = excess?.implausible ?? excessCost?.implausible
  const cost = capCost(excessCost?.cost ?? reportedCost ?? listCost)
  const isFree = isByok(candidate) && (Exit.isSuccess(exit) || usage !== undefined)
  if (
    usage !== undefined &&
    cost !== undefined &&
    !isFree &&
    !estimated &&
    implausible === undefined
  ) {
    return { usage, cost }
  }
  return {
    ...(usage === undefined ? undefined : { usage }),
    ...(usage === undefined || !estimated ? undefined : { estimated }),
    ...(implausible === undefined ? undefined : { implausible }),
    ...(isFree ? { cost: NanoUsd.zero } : undefined),
    ...(cost === undefined ? undefined : isFree ? { upstreamCost: cost } : { cost })
  }
}

/** Parts of a usage that was capped say nothing. */
const whole = (served: ServedAs | undefined): ServedAs | undefined => {
  if (served?.usageByModel === undefined) return served
  const { usageByModel: _, ...rest } = served
  return rest
}

/** The worst case costs as much as was reserved for it. */
const computeReservedCost = (
  candidate: Candidate,
  usage: TokenUsage,
  usageBounds: UsageBounds | undefined
): NanoUsd.NanoUsd | undefined =>
  computeMaxCost(
    selectDearestPrice(candidate, usage, usageBounds?.getRequestedService?.()?.models),
    usage
  )

const capCost = (cost: NanoUsd.NanoUsd | undefined): NanoUsd.NanoUsd | undefined =>
  cost === undefined ? undefined : NanoUsd.min(cost, NanoUsd.maxAmount)

const resolveUsage = (
  exit: Exit.Failure<ReportedCharge, UpstreamFailure>,
  observedUsage: ObservedUsage | undefined,
  usageBounds: UsageBounds | undefined
): { readonly usage?: TokenUsage | undefined; readonly estimated?: true | undefined } => {
  if (observedUsage !== undefined) {
    return { usage: observedUsage.usage, estimated: observedUsage.isEstimated ? true : undefined }
  }
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (failure?.usage !== undefined) return { usage: failure.usage }
  return isAbandoned(exit.cause, failure)
    ? { usage: usageBounds?.getUnreportedUsage(), estimated: true }
    : {}
}

/** A reported cost that exceeds both the price list and the reservation; undefined where one explains it. */
const findImplausibleCost = (
  candidate: Candidate,
  stated: NanoUsd.NanoUsd,
  listCost: NanoUsd.NanoUsd | undefined,
  expected: UsageBounds | undefined
): { readonly cost: NanoUsd.NanoUsd; readonly implausible: ImplausibleReport } | undefined => {
  if (expected === undefined || listCost === undefined) return undefined
  if (stated <= listCost * BigInt(expected.maxCostMultiple)) return undefined
  const usage = expected.getWorstCase()
  const worstCaseCost =
    usage === undefined || usage.inputTokens === Infinity || !isKnown(candidate.price)
      ? undefined
      : computeReservedCost(candidate, usage, expected)
  const most = NanoUsd.max(listCost, worstCaseCost ?? listCost)
  return {
    cost: NanoUsd.min(stated, most),
    implausible: {
      what: "cost",
      reported: NanoUsd.toUsdNumber(stated),
      atMost: NanoUsd.toUsdNumber(most)
    }
  }
}

/**
 * After an interruption or a timeout the provider may continue, and charge for it. A provider that
 * fails before its first event is assumed to charge nothing.
 */
export const isAbandoned = (
  cause: Cause.Cause<unknown>,
  failure: UpstreamFailure | undefined
): boolean =>
  failure === undefined
    ? Cause.hasInterruptsOnly(cause)
    : failure.kind === "timeout" && failure.phase !== "connect" && failure.phase !== "queue"
