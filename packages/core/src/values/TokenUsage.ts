/** Tokens an upstream counted (or may count at most) for one call. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

export const sumUsage = (self: TokenUsage, that: TokenUsage): TokenUsage => ({
  inputTokens: self.inputTokens + that.inputTokens,
  outputTokens: self.outputTokens + that.outputTokens
})
