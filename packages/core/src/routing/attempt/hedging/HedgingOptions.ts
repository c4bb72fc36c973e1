/** When a second attempt is started beside one that has not begun to answer, and how many there may be. */

/** How streams are hedged. */
export interface HedgingOptions {
  /**
   * The quantile of the first events of the model's endpoints in the last 60 s after which a second attempt is started, 0
   * to 1, default 0.95. With fewer than 20 of them none is started.
   */
  readonly quantile?: number
  /** The most second attempts, as a share of the requests that may have one, 0 to 1, default 0.08, beyond the first 10. */
  readonly share?: number
  /** No second attempt is started earlier, in milliseconds, default 50. */
  readonly leastMillis?: number
}

/** Throws a `RangeError` that names the invalid option. */
export const resolveHedging = (options: HedgingOptions): Required<HedgingOptions> => {
  const { leastMillis = 50, quantile = 0.95, share = 0.08 } = options
  if (!(quantile > 0 && quantile < 1)) {
    throw new RangeError(`hedging.quantile must be between 0 and 1, got ${quantile}`)
  }
  if (!(share >= 0 && share <= 1)) {
    throw new RangeError(`hedging.share must be from 0 to 1, got ${share}`)
  }
  if (!(leastMillis >= 0)) {
    throw new RangeError(`hedging.leastMillis must be 0 or more, got ${leastMillis}`)
  }
  return { leastMillis, quantile, share }
}
