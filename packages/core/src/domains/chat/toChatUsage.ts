/** The usage and cost of a chat, in the fields of the HTTP API. */
import type { ImplausibleReport } from "../../engine/observability/generations/Generation.ts"
import { isByok } from "../../routing/Candidate.ts"
import {
  type RouteAttempt,
  sumAnswerCost,
  sumAttemptUsage,
  sumUpstreamCost
} from "../../routing/attempt/RouteAttempt.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { ChatEnd } from "./ChatAnswer.ts"
import type { ChatUsage } from "./ChatCompletion.ts"
import { toReportedUsage } from "./toReportedUsage.ts"

/** What the router says at the end of an answer. An answer without attempts comes from the cache: it used and cost nothing. */
export const toChatEnd = (
  attempts: ReadonlyArray<RouteAttempt>,
  details?: Readonly<Record<string, unknown>>
): ChatEnd => {
  const tokens = attempts.length === 0 ? noTokens : sumAttemptUsage(attempts)
  const upstreamCost = sumUpstreamCost(attempts)
  return {
    usage: toChatUsage(attempts, details),
    ...(tokens === undefined ? undefined : { tokens }),
    ...(upstreamCost === undefined
      ? undefined
      : { upstreamCost: NanoUsd.toUsdNumber(upstreamCost) })
  }
}

const noTokens = { inputTokens: 0, outputTokens: 0 }

/** The sum over all attempts, with the `details` that the serving provider reports. */
const toChatUsage = (
  attempts: ReadonlyArray<RouteAttempt>,
  details: Readonly<Record<string, unknown>> | undefined
): ChatUsage => {
  const { inputTokens, outputTokens } = sumAttemptUsage(attempts) ?? noTokens
  const cost = sumAnswerCost(attempts)
  const served = attempts.at(-1)
  const implausible = served?.implausible
  return {
    ...(details && selectDetails(details, implausible)),
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) }),
    is_byok: served !== undefined && isByok(served.candidate),
    ...(implausible === undefined ? undefined : { reported: toReportedUsage(implausible) })
  }
}

/** The provider's own cost would be mistaken for the amount charged here. */
const selectDetails = (
  details: Readonly<Record<string, unknown>>,
  implausible: ImplausibleReport | undefined
): Readonly<Record<string, unknown>> => {
  const { cost: _, cost_details: __, is_byok: ___, reported: ____, ...known } = details
  return implausible === undefined ? known : omitCapped(known, implausible)
}

/** The parts of a count that was itself capped, such as cached tokens, would contradict it. */
const omitCapped = (
  details: Readonly<Record<string, unknown>>,
  { usage, what }: ImplausibleReport
): Readonly<Record<string, unknown>> => {
  const field = usage === undefined ? undefined : partFields[what]
  return field === undefined
    ? details
    : Object.fromEntries(Object.entries(details).filter(([name]) => name !== field))
}

/** The detail that has a part of the input or the output, by the name of the part. */
const partFields: Readonly<Record<string, string>> = {
  cachedTokens: "prompt_tokens_details",
  cacheWriteTokens: "prompt_tokens_details",
  cacheWrite1hTokens: "prompt_tokens_details",
  audioTokens: "prompt_tokens_details",
  audioOutputTokens: "completion_tokens_details",
  imageOutputTokens: "completion_tokens_details",
  reasoningTokens: "completion_tokens_details"
}
