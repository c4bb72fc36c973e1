/** Converts how much a model may reason between efforts and tokens, and to the efforts that it knows. */

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

/** From the least to the most. */
const ladder: ReadonlyArray<string> = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/**
 * Rounds an effort to the nearest known one; of two equally near, to the lower one, which costs less. A request for
 * some reasoning is not rounded to `none` where the model has another effort. If `known` is undefined or empty, or a
 * word is on no ladder, the effort is returned unchanged.
 */
export const roundEffort = (effort: string, known: ReadonlyArray<string> | undefined): string => {
  if (known === undefined || known.length === 0 || known.includes(effort)) return effort
  const wanted = ladder.indexOf(effort)
  if (wanted === -1) return effort
  const thinking = known.filter((level) => level !== "none")
  let nearest: string | undefined
  let distance = Infinity
  for (const level of ladder) {
    if (!thinking.includes(level)) continue
    const away = Math.abs(ladder.indexOf(level) - wanted)
    if (away < distance) {
      nearest = level
      distance = away
    }
  }
  return nearest ?? thinking[0] ?? effort
}

/** Parameters of Decisions for models that think, whose thoughts count toward the cap of an answer. */
export const thinkingParameters: ReadonlyArray<string> = [
  "max_tokens",
  "reasoning",
  "structured_outputs"
]
