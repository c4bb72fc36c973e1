/** The rate limits that hold for a caller, all of them at once. */
import type { KeyRateLimit } from "./ApiKey.ts"
import type { Caller } from "./Caller.ts"

/**
 * What the host sets holds, whatever whoever manages the key says: that can only take away from it. `common`
 * is for those the host has set no other limit for.
 */
export const listRateLimits = (
  { ownRateLimit: own, rateLimit: given }: Pick<Caller, "ownRateLimit" | "rateLimit">,
  common: KeyRateLimit | undefined
): ReadonlyArray<KeyRateLimit> => {
  const hosts = given ?? common
  if (own === undefined) return hosts === undefined ? [] : [hosts]
  if (hosts === undefined) return [own]
  // Windows of one length are one window.
  if (own.windowMillis === hosts.windowMillis) return [pickStricter(own, hosts)]
  return [own, hosts]
}

const pickStricter = (self: KeyRateLimit, that: KeyRateLimit): KeyRateLimit =>
  that.requests < self.requests ? that : self
