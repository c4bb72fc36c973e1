/** What an upstream counted (or may count at most) for one call. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** How many requests it took, which is what a price per request is paid for; absent means one. */
  readonly requests?: number
  /** How many images went into them; absent means none. */
  readonly images?: number
  /** How many of `inputTokens` came out of a cache of prompts; absent means none. */
  readonly cachedTokens?: number
  /** How many of them were written into one; absent means none. */
  readonly cacheWriteTokens?: number
  /** How many of them were heard instead of read; absent means none. */
  readonly audioTokens?: number
  /** How many of `outputTokens` are sound; absent means none. */
  readonly audioOutputTokens?: number
  /** How many of `outputTokens` are pictures; absent means none. */
  readonly imageOutputTokens?: number
  /** How many searches of the web the provider made; absent means none. */
  readonly webSearches?: number
  /** How many of `outputTokens` were thought instead of said; absent means that nobody says. */
  readonly reasoningTokens?: number
}

export const getRequestCount = ({ requests = 1 }: TokenUsage): number => requests

export const getImageCount = ({ images = 0 }: TokenUsage): number => images

/** What two calls used together. */
export const sumUsage = (self: TokenUsage, that: TokenUsage): TokenUsage => ({
  inputTokens: self.inputTokens + that.inputTokens,
  outputTokens: self.outputTokens + that.outputTokens,
  requests: getRequestCount(self) + getRequestCount(that),
  ...Object.fromEntries(
    optionalCounts.flatMap((name) => {
      const [one, other] = [self[name], that[name]]
      return one === undefined && other === undefined ? [] : [[name, (one ?? 0) + (other ?? 0)]]
    })
  )
})

const optionalCounts = [
  "images",
  "cachedTokens",
  "cacheWriteTokens",
  "audioTokens",
  "audioOutputTokens",
  "imageOutputTokens",
  "webSearches",
  "reasoningTokens"
] as const
