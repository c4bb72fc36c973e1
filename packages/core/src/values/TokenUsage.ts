/** What an upstream counted (or may count at most) for one call. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** How many requests it took, which is what a price per request is paid for; absent means one. */
  readonly requests?: number
  /** How many images went into them; absent means none. */
  readonly images?: number
}

export const requestsOf = ({ requests = 1 }: TokenUsage): number => requests

export const imagesOf = ({ images = 0 }: TokenUsage): number => images

export const sumUsage = (self: TokenUsage, that: TokenUsage): TokenUsage => ({
  inputTokens: self.inputTokens + that.inputTokens,
  outputTokens: self.outputTokens + that.outputTokens,
  requests: requestsOf(self) + requestsOf(that),
  ...(self.images === undefined && that.images === undefined
    ? undefined
    : { images: imagesOf(self) + imagesOf(that) })
})
