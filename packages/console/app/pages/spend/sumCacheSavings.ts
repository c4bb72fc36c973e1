/** What prompt caches saved by the price list of the present: an estimate, since endpoints and times have their own prices. Pure. */

export interface CachedTokens {
  /** Prompt tokens that were read from caches. */
  readonly tokens: number
  /** USD per token, as decimal strings; absent or negative: not known. */
  readonly pricing: { readonly prompt?: string; readonly input_cache_read?: string } | undefined
}

/** In USD. Tokens without a price for cached ones cost what others do, and saved nothing. */
export const sumCacheSavings = (cached: ReadonlyArray<CachedTokens>): number =>
  cached.reduce((sum, { pricing, tokens }) => {
    const prompt = Number(pricing?.prompt ?? -1)
    const read = Number(pricing?.input_cache_read ?? -1)
    return prompt > read && read >= 0 ? sum + tokens * (prompt - read) : sum
  }, 0)
