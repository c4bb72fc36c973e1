/** Tokens an upstream counted (or may count at most) for one call, or for several. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Calls it was spent in, each of them charged a price per request; default: 1. */
  readonly requests?: number
}

export const sumUsage = (self: TokenUsage, that: TokenUsage): TokenUsage => ({
  inputTokens: self.inputTokens + that.inputTokens,
  outputTokens: self.outputTokens + that.outputTokens,
  requests: (self.requests ?? 1) + (that.requests ?? 1)
})
