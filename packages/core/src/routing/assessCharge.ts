/** What an attempt used and cost: as its provider states where that can be, else the most it can have been. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { costOf, isKnown, mostOf } from "../catalog/Price.ts"
import type { Implausible } from "../observability/Generation.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import { imagesOf, requestsOf, type TokenUsage } from "../values/TokenUsage.ts"
import type { Attempted } from "./Attempted.ts"
import { type Candidate, isByok } from "./Candidate.ts"

/** What is known of an attempt beside what its provider states. */
export interface Expected {
  /** The most it can use; undefined: nobody can say. */
  readonly atMost: () => TokenUsage | undefined
  /** What it is taken to have used when nobody came to say; undefined: nobody was asked. */
  readonly asked: () => TokenUsage | undefined
  /** `Settings.maxStatedUsageMultiple`. */
  readonly maxUsageMultiple: number
  /** `Settings.maxStatedCostMultiple`. */
  readonly maxCostMultiple: number
}

/** What an answer says of itself. */
interface Stated {
  readonly usage?: TokenUsage
  readonly isEstimated?: true
  readonly cost?: NanoUsd.NanoUsd
}

/** What was heard of it while it ran. */
export interface Heard {
  readonly usage: TokenUsage
  /** Nobody has stated it. */
  readonly isEstimated: boolean
}

type Spent = Pick<Attempted, "usage" | "cost" | "upstreamCost" | "estimated" | "implausible">

/** On a credential of the customer's own it costs nothing here. */
export const assessCharge = (
  candidate: Candidate,
  exit: Exit.Exit<Stated, UpstreamFailure>,
  heard: Heard | undefined,
  expected: Expected | undefined
): Spent => {
  const { estimated, usage: told } = toldIn(exit, heard, expected)
  const excess = told === undefined ? undefined : excessOf(told, expected)
  const usage = excess === undefined ? told : excess.atMost
  const listed = usage === undefined ? undefined : listedOf(candidate, usage, excess !== undefined)
  const stated = Exit.isSuccess(exit) ? exit.value.cost : undefined
  const dear = stated === undefined ? undefined : dearer(candidate, stated, listed, expected)
  const implausible = excess?.implausible ?? dear?.implausible
  const cost = bounded(dear?.cost ?? stated ?? listed)
  const isFree = isByok(candidate) && (Exit.isSuccess(exit) || usage !== undefined)
  return {
    ...(usage === undefined ? undefined : { usage }),
    ...(usage === undefined || !estimated ? undefined : { estimated }),
    ...(implausible === undefined ? undefined : { implausible }),
    ...(isFree ? { cost: NanoUsd.zero } : undefined),
    ...(cost === undefined ? undefined : isFree ? { upstreamCost: cost } : { cost })
  }
}

/** The worst case costs what was set aside for it. */
const listedOf = (
  { price }: Candidate,
  usage: TokenUsage,
  isWorstCase: boolean
): NanoUsd.NanoUsd | undefined =>
  isWorstCase && isKnown(price) ? mostOf(price, usage) : costOf(price, usage)

const bounded = (cost: NanoUsd.NanoUsd | undefined): NanoUsd.NanoUsd | undefined =>
  cost === undefined ? undefined : NanoUsd.min(cost, NanoUsd.most)

interface Told {
  readonly usage?: TokenUsage | undefined
  readonly estimated?: true | undefined
}

const toldIn = (
  exit: Exit.Exit<Stated, UpstreamFailure>,
  heard: Heard | undefined,
  expected: Expected | undefined
): Told => {
  if (Exit.isSuccess(exit)) {
    const { isEstimated, usage } = exit.value
    return { usage, estimated: isEstimated }
  }
  if (heard !== undefined) {
    return { usage: heard.usage, estimated: heard.isEstimated ? true : undefined }
  }
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  if (failure?.usage !== undefined) return { usage: failure.usage }
  return isLeft(exit.cause, failure) ? { usage: expected?.asked(), estimated: true } : {}
}

/**
 * Whoever waited went away, or had no more time: the provider may work on, and charge for it. Where the provider
 * itself fails before its first word, it is taken to charge nothing.
 */
const isLeft = (cause: Cause.Cause<unknown>, failure: UpstreamFailure | undefined): boolean =>
  failure === undefined
    ? Cause.hasInterruptsOnly(cause)
    : failure.kind === "timeout" && failure.phase !== "connect"

interface Excess {
  readonly atMost: TokenUsage
  readonly implausible: Implausible
}

interface Count {
  readonly what: keyof TokenUsage
  readonly of: (usage: TokenUsage) => number
  /** How much of it there can be, by the most that can be used. */
  readonly within: (atMost: TokenUsage) => number
  readonly slack: number
}

const counted = (what: keyof TokenUsage, slack: number, of: Count["of"]): Count => ({
  what,
  of,
  within: of,
  slack
})

/** What is some of the tokens of `whole`. */
const part = (what: keyof TokenUsage, whole: "inputTokens" | "outputTokens"): Count => ({
  what,
  of: (usage) => usage[what] ?? 0,
  within: (atMost) => atMost[whole],
  slack: 1_000
})

const counts: ReadonlyArray<Count> = [
  counted("inputTokens", 1_000, ({ inputTokens }) => inputTokens),
  counted("outputTokens", 1_000, ({ outputTokens }) => outputTokens),
  counted("requests", 10, requestsOf),
  counted("images", 10, imagesOf),
  counted("webSearches", 10, ({ webSearches = 0 }) => webSearches),
  part("cachedTokens", "inputTokens"),
  part("cacheWriteTokens", "inputTokens"),
  part("audioTokens", "inputTokens"),
  part("audioOutputTokens", "outputTokens"),
  part("imageOutputTokens", "outputTokens"),
  part("reasoningTokens", "outputTokens")
]

/** Undefined where it can be what it says. So few, and nothing is worked out. */
const excessOf = (usage: TokenUsage, expected: Expected | undefined): Excess | undefined => {
  const large = counts.filter(({ of, slack }) => !(of(usage) <= slack))
  if (expected === undefined || large.length === 0) return undefined
  const atMost = expected.atMost()
  if (atMost === undefined) return undefined
  for (const { of, slack, what, within } of large) {
    const stated = of(usage)
    const most = within(atMost)
    if (stated <= slack + most * expected.maxUsageMultiple) continue
    return { atMost, implausible: { what, stated, atMost: most } }
  }
  return undefined
}

/** A stated cost that neither the price list nor what was set aside explains; undefined where one does. */
const dearer = (
  { price }: Candidate,
  stated: NanoUsd.NanoUsd,
  listed: NanoUsd.NanoUsd | undefined,
  expected: Expected | undefined
): { readonly cost: NanoUsd.NanoUsd; readonly implausible: Implausible } | undefined => {
  if (expected === undefined || listed === undefined) return undefined
  if (stated <= listed * BigInt(expected.maxCostMultiple)) return undefined
  const usage = expected.atMost()
  const worst = usage === undefined || !isKnown(price) ? undefined : mostOf(price, usage)
  const most = NanoUsd.max(listed, worst ?? listed)
  return {
    cost: NanoUsd.min(stated, most),
    implausible: {
      what: "cost",
      stated: NanoUsd.toUsdNumber(stated),
      atMost: NanoUsd.toUsdNumber(most)
    }
  }
}
