/** Whether a secret opens a key at a moment: neither is over, and the key is not disabled. */
import { isSameHash } from "../secrets/hashKey.ts"
import type { KeyHash } from "../values/ids/KeyHash.ts"
import type { ApiKey } from "./ApiKey.ts"

/** `now` in milliseconds since the epoch. */
export const verifySecret = (secret: KeyHash, key: ApiKey, now: number): boolean => {
  if (key.disabled || isPast(key.expires_at, now)) return false
  if (isSameHash(key.secret_hash, secret)) return true
  const { former_secret: former } = key
  return former !== null && isSameHash(former.hash, secret) && !isPast(former.expires_at, now)
}

const isPast = (expiresAt: string | null, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now
