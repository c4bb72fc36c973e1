/** Reasoning efforts as numbers of tokens, for dialects that know only one of the two. */

/** Shares of the answer's cap: https://openrouter.ai/docs/use-cases/reasoning-tokens. */
const shares: Readonly<Record<string, number>> = {
  minimal: 0.1,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.95,
  max: 1
}

/** The least and the most that providers accept. */
const minBudget = 1_024
const maxBudget = 128_000

/**
 * The reasoning tokens of an effort under a cap of `maxOutputTokens`, at least 1,024 and below the cap; undefined when
 * the effort is `none` or unknown, or the cap leaves no room.
 */
export const toReasoningBudget = (effort: string, maxOutputTokens: number): number | undefined => {
  const share = Object.hasOwn(shares, effort) ? shares[effort] : undefined
  if (share === undefined || maxOutputTokens <= minBudget) return undefined
  const budget = Math.min(maxBudget, Math.max(minBudget, Math.floor(maxOutputTokens * share)))
  return Math.min(budget, maxOutputTokens - 1)
}

/** The smallest effort whose budget is not below `tokens`. */
export const toReasoningEffort = (tokens: number, maxOutputTokens: number): string => {
  const share = tokens / maxOutputTokens
  for (const [effort, limit] of Object.entries(shares)) if (share <= limit) return effort
  return "max"
}
