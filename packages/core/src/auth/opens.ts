/** Whether a secret opens a key at a moment: neither is over, and the key is not disabled. */
import { sameHash } from "../secrets/hashKey.ts"
import type { KeyHash } from "../values/KeyHash.ts"
import type { ApiKey } from "./ApiKey.ts"

/** `now` in milliseconds since the epoch. */
export const opens = (secret: KeyHash, key: ApiKey, now: number): boolean => {
  if (key.disabled || isOver(key.expires_at, now)) return false
  if (sameHash(key.secret_hash, secret)) return true
  const { former_secret: former } = key
  return former !== null && sameHash(former.hash, secret) && !isOver(former.expires_at, now)
}

const isOver = (moment: string | null, now: number): boolean =>
  moment !== null && Date.parse(moment) <= now
