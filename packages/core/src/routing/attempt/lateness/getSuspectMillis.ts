/** Computes after which time without an answer the endpoint of an attempt is suspected to fail. */

/** Nearly every healthy attempt has begun to answer after this many times the p99 of its endpoint. */
const suspicionFactor = 2

/**
 * How much later a long prompt may be answered, because the p99 is mostly that of short ones: twice of what Anthropic states for a
 * prompt of 100,000 tokens without its cache, 11.5 s (https://www.anthropic.com/news/prompt-caching).
 */
const millisPerToken = 0.23

/** In whole milliseconds; Infinity: the p99 is not known. */
export const getSuspectMillis = (
  p99: number | undefined,
  inputTokens: number,
  minMillis: number
): number =>
  p99 === undefined
    ? Number.POSITIVE_INFINITY
    : Math.ceil(Math.max(minMillis, suspicionFactor * p99) + inputTokens * millisPerToken)
