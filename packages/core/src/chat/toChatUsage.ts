/** The usage and cost of a chat, in the fields of the HTTP API. */
import { type RouteAttempt, sumCost, sumAttemptUsage } from "../routing/attempt/RouteAttempt.ts"
import { isByok } from "../routing/Candidate.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import type { ChatUsage } from "./ChatCompletion.ts"

/** Over all attempts; `details` are what the provider that served says besides. */
export const toChatUsage = (
  attempts: ReadonlyArray<RouteAttempt>,
  details: Readonly<Record<string, unknown>> = {}
): ChatUsage => {
  const { inputTokens, outputTokens } = sumAttemptUsage(attempts) ?? {
    inputTokens: 0,
    outputTokens: 0
  }
  const cost = sumCost(attempts)
  const served = attempts.at(-1)
  // What it cost is ours to say: a provider's own figure would be taken for what is charged here.
  const { cost: _, cost_details: __, is_byok: ___, ...others } = details
  // What splits up a usage that cannot be is not repeated: what is told is the most that can.
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
