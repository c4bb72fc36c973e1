/** The usage and cost of an attempt: as the provider reports them, capped at the plausible maximum. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { computeCostAt, computeMaxCost } from "../../catalog/endpoint/computeCost.ts"
import { isKnown } from "../../catalog/endpoint/Price.ts"
import type { ImplausibleReport } from "../../observability/generations/Generation.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { getImageCount, getRequestCount, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import { type Candidate, isByok } from "../Candidate.ts"

/** What bounds the provider's report of an attempt. */
export interface UsageBounds {
  /** The most it can use; undefined: unknown. */
  readonly getWorstCase: () => TokenUsage | undefined
  /** The usage to assume when the provider reports none; undefined: the provider was not called. */
  readonly getUnreportedUsage: () => TokenUsage | undefined
  /** `Settings.maxReportedUsageMultiple`. */
  readonly maxUsageMultiple: number
  /** `Settings.maxReportedCostMultiple`. */
  readonly maxCostMultiple: number
}

/** The usage and cost that an answer reports. */
interface ReportedCharge {
  readonly usage?: TokenUsage
  readonly isEstimated?: true
  readonly cost?: NanoUsd.NanoUsd
}

/** The usage reported while the attempt ran. */
export interface ObservedUsage {
  readonly usage: TokenUsage
  /** It was estimated, not reported by the provider. */
  readonly isEstimated: boolean
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
  const excess =
    resolvedUsage === undefined ? undefined : findImplausibleUsage(resolvedUsage, usageBounds)
  const usage = excess === undefined ? resolvedUsage : excess.atMost
  const listCost =
    usage === undefined ? undefined : computeListCost(candidate, usage, excess !== undefined, now)
  const reportedCost = Exit.isSuccess(exit) ? exit.value.cost : undefined
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

/** The worst case costs as much as was reserved for it. */
const computeListCost = (
  { price }: Candidate,
  usage: TokenUsage,
  isWorstCase: boolean,
  now: number
): NanoUsd.NanoUsd | undefined =>
  isWorstCase && isKnown(price) ? computeMaxCost(price, usage) : computeCostAt(price, usage, now)

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

/**
 * After an interruption or a timeout the provider may continue, and charge for it. A provider that
 * fails before its first event is assumed to charge nothing.
 */
const isAbandoned = (cause: Cause.Cause<unknown>, failure: UpstreamFailure | undefined): boolean =>
  failure === undefined
    ? Cause.hasInterruptsOnly(cause)
    : failure.kind === "timeout" && failure.phase !== "connect"

interface UsageCounter {
  readonly what: keyof TokenUsage
  readonly getCount: (usage: TokenUsage) => number
  /** The plausible maximum of this counter, given the worst case. */
  readonly getLimit: (atMost: TokenUsage) => number
  readonly slack: number
}

const makeCounter = (
  what: keyof TokenUsage,
  slack: number,
  getCount: UsageCounter["getCount"]
): UsageCounter => ({ what, getCount, getLimit: getCount, slack })

/** A part of the tokens of `whole`. */
const makePartCounter = (
  what: keyof TokenUsage,
  whole: "inputTokens" | "outputTokens"
): UsageCounter => ({
  what,
  getCount: (usage) => usage[what] ?? 0,
  getLimit: (atMost) => atMost[whole],
  slack: 1_000
})

const usageCounters: ReadonlyArray<UsageCounter> = [
  makeCounter("inputTokens", 1_000, ({ inputTokens }) => inputTokens),
  makeCounter("outputTokens", 1_000, ({ outputTokens }) => outputTokens),
  makeCounter("requests", 10, getRequestCount),
  makeCounter("images", 10, getImageCount),
  makeCounter("webSearches", 10, ({ webSearches = 0 }) => webSearches),
  makePartCounter("cachedTokens", "inputTokens"),
  makePartCounter("cacheWriteTokens", "inputTokens"),
  makePartCounter("cacheWrite1hTokens", "inputTokens"),
  makePartCounter("audioTokens", "inputTokens"),
  makePartCounter("audioOutputTokens", "outputTokens"),
  makePartCounter("imageOutputTokens", "outputTokens"),
  makePartCounter("reasoningTokens", "outputTokens")
]

/** Undefined where the report is plausible. Small reports are accepted without computing the worst case. */
const findImplausibleUsage = (
  usage: TokenUsage,
  expected: UsageBounds | undefined
): { readonly atMost: TokenUsage; readonly implausible: ImplausibleReport } | undefined => {
  if (expected === undefined) return undefined
  if (usageCounters.every(({ getCount, slack }) => getCount(usage) <= slack)) return undefined
  const atMost = expected.getWorstCase()
  if (atMost === undefined) return undefined
  for (const { getCount, slack, what, getLimit } of usageCounters) {
    if (getCount(usage) <= slack) continue
    const reported = getCount(usage)
    const most = getLimit(atMost)
    if (reported <= slack + most * expected.maxUsageMultiple) continue
    return { atMost, implausible: { what, reported, atMost: most } }
  }
  return undefined
}

/** A reported cost that exceeds both the price list and the reservation; undefined where one explains it. */
const findImplausibleCost = (
  { price }: Candidate,
  stated: NanoUsd.NanoUsd,
  listCost: NanoUsd.NanoUsd | undefined,
  expected: UsageBounds | undefined
): { readonly cost: NanoUsd.NanoUsd; readonly implausible: ImplausibleReport } | undefined => {
  if (expected === undefined || listCost === undefined) return undefined
  if (stated <= listCost * BigInt(expected.maxCostMultiple)) return undefined
  const usage = expected.getWorstCase()
  const worstCaseCost =
    usage === undefined || !isKnown(price) ? undefined : computeMaxCost(price, usage)
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
