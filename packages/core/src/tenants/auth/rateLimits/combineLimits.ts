/** Combines the limits that the host and key management set for the same requests. */

/**
 * All limits that apply at once: key management can only tighten the limit of the host. Limits with the same window share one
 * counter, so only the stricter one applies.
 */
export const combineLimits = <A extends { readonly windowMillis: number }>(
  own: A | undefined,
  ofHost: A | undefined,
  toAmount: (limit: A) => number
): ReadonlyArray<A> => {
  if (own === undefined) return ofHost === undefined ? noLimits : [ofHost]
  if (ofHost === undefined) return [own]
  if (own.windowMillis !== ofHost.windowMillis) return [own, ofHost]
  return [toAmount(ofHost) < toAmount(own) ? ofHost : own]
}

const noLimits: ReadonlyArray<never> = []
