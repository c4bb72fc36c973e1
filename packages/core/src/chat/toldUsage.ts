/** What a chat used and cost, as the wire tells it. */
import { type Attempted, totalCost, totalUsage } from "../routing/Attempted.ts"
import { isByok } from "../routing/Candidate.ts"
import * as NanoUsd from "../values/NanoUsd.ts"
import type { ChatUsage } from "./ChatCompletion.ts"

/** Over all attempts; `details` are what the provider that served says besides. */
export const toldUsage = (
  attempts: ReadonlyArray<Attempted>,
  details: Readonly<Record<string, unknown>> = {}
): ChatUsage => {
  const { inputTokens, outputTokens } = totalUsage(attempts) ?? { inputTokens: 0, outputTokens: 0 }
  const cost = totalCost(attempts)
  const served = attempts.at(-1)
  // What it cost is ours to say: a provider's own figure would be taken for what is charged here.
  const { cost: _, cost_details: __, is_byok: ___, ...others } = details
  // What splits up a usage that cannot be is not repeated: what is told is the most that can.
  const { implausible } = served ?? {}
  const isBelieved = implausible === undefined || implausible.what === "cost"
  return {
    ...(isBelieved ? others : undefined),
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) }),
    is_byok: served !== undefined && isByok(served.candidate)
  }
}
