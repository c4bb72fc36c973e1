/** Caps what a provider reports at what its attempt can have used. */
import type { ImplausibleReport } from "../../engine/observability/generations/Generation.ts"
import { type TokenUsage, getImageCount, getRequestCount } from "../../values/usage/TokenUsage.ts"
import type { Candidate } from "../Candidate.ts"
import type { RequestedService } from "../RouteWork.ts"

/** What bounds the provider's report of an attempt. */
export interface UsageBounds {
  /** The most it can use; undefined: unknown. */
  readonly getWorstCase: () => TokenUsage | undefined
  /** The most input where the provider searched or read by itself; Infinity: unknown. */
  readonly getReadingBound: () => number
  /** The usage to assume when the provider reports none; undefined: the provider was not called. */
  readonly getUnreportedUsage: () => TokenUsage | undefined
  /** The requested service; undefined: an ordinary one. */
  readonly getRequestedService?: () => RequestedService | undefined
  /** `Settings.maxReportedUsageMultiple`. */
  readonly maxUsageMultiple: number
  /** `Settings.maxReportedCostMultiple`. */
  readonly maxCostMultiple: number
}

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
  makeCounter("characters", 10, ({ characters = 0 }) => characters),
  makeCounter("audioMillis", 1_000, ({ audioMillis = 0 }) => audioMillis),
  makeCounter("webSearches", 10, ({ webSearches = 0 }) => webSearches),
  makePartCounter("cachedTokens", "inputTokens"),
  makePartCounter("cacheWriteTokens", "inputTokens"),
  makePartCounter("cacheWrite1hTokens", "inputTokens"),
  makePartCounter("audioTokens", "inputTokens"),
  makePartCounter("audioOutputTokens", "outputTokens"),
  makePartCounter("imageOutputTokens", "outputTokens"),
  makePartCounter("reasoningTokens", "outputTokens")
]

/**
 * Caps each implausible counter alone, because the others tell what happened. Undefined where all are plausible. Small
 * reports are accepted without computing the worst case.
 */
export const capUsage = (
  usage: TokenUsage,
  expected: UsageBounds,
  candidate: Candidate,
  hasRead: boolean
): { readonly usage: TokenUsage; readonly implausible: ImplausibleReport } | undefined => {
  if (usageCounters.every(({ getCount, slack }) => getCount(usage) <= slack)) return undefined
  const atMost = getLimits(usage, expected, candidate, hasRead)
  if (atMost === undefined) return undefined
  let capped: { -readonly [K in keyof TokenUsage]: TokenUsage[K] } | undefined
  let first: Omit<ImplausibleReport, "usage"> | undefined
  for (const { getCount, slack, what, getLimit } of usageCounters) {
    const reported = getCount(usage)
    const most = getLimit(atMost)
    if (reported <= slack || reported <= slack + most * expected.maxUsageMultiple) continue
    capped ??= { ...usage }
    capped[what] = most
    first ??= { what, reported, atMost: most }
  }
  return capped === undefined || first === undefined
    ? undefined
    : { usage: capped, implausible: { ...first, usage } }
}

/**
 * Everything that can have become input: what was sent, what a provider read that searched or read by itself, and prefixes
 * that it had cached, which may be longer than what was sent, up to the context of the model.
 */
const getLimits = (
  usage: TokenUsage,
  expected: UsageBounds,
  { endpoint: { contextLength = 0 } }: Candidate,
  hasRead: boolean
): TokenUsage | undefined => {
  const worst = expected.getWorstCase()
  if (worst === undefined) return undefined
  const { cacheWriteTokens = 0, cachedTokens = 0, webSearches = 0 } = usage
  const cached = cachedTokens + cacheWriteTokens
  const read = hasRead || webSearches > 0 ? expected.getReadingBound() : 0
  const sent = Math.max(worst.inputTokens, read)
  return { ...worst, inputTokens: cached <= contextLength ? sent + cached : sent }
}
