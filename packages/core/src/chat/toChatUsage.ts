/** The usage and cost of a chat, in the fields of the HTTP API. */
import {
  type RouteAttempt,
  sumAttemptUsage,
  sumCost,
  sumUpstreamCost
} from "../routing/attempt/RouteAttempt.ts"
import { isByok } from "../routing/Candidate.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import type { ChatEnd } from "./ChatAnswer.ts"
import type { ChatUsage } from "./ChatCompletion.ts"

/** What the router says at the end of an answer. */
export const toChatEnd = (
  attempts: ReadonlyArray<RouteAttempt>,
  details?: Readonly<Record<string, unknown>>
): ChatEnd => {
  const tokens = sumAttemptUsage(attempts)
  const upstreamCost = sumUpstreamCost(attempts)
  return {
    usage: toChatUsage(attempts, details),
    ...(tokens === undefined ? undefined : { tokens }),
    ...(upstreamCost === undefined
      ? undefined
      : { upstreamCost: NanoUsd.toUsdNumber(upstreamCost) })
  }
}

/** The sum over all attempts, with the `details` that the serving provider reports. */
const toChatUsage = (
  attempts: ReadonlyArray<RouteAttempt>,
  details: Readonly<Record<string, unknown>> = {}
): ChatUsage => {
  const { inputTokens = 0, outputTokens = 0 } = sumAttemptUsage(attempts) ?? {}
  const cost = sumCost(attempts)
  const served = attempts.at(-1)
  // The provider's own cost would be mistaken for the amount charged here.
  const { cost: _, cost_details: __, is_byok: ___, ...others } = details
  // The details of an implausible usage would contradict its capped counts.
  const { implausible } = served ?? {}
  const isPlausible = implausible === undefined || implausible.what === "cost"
  return {
    ...(isPlausible ? others : undefined),
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) }),
    is_byok: served !== undefined && isByok(served.candidate)
  }
}
