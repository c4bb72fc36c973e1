/** The integer that stands for an API key in `io_logging_api_key_ids`. */
import * as Schema from "effect/Schema"
import { KeyHash } from "./Ids.ts"

const isHash = Schema.is(KeyHash)

/**
 * The first 48 bits of the hash of a key, an integer that every JSON parser reads exactly. Two keys collide with a
 * probability of 1 in 2.8e14. Throws a `RangeError` for anything but a hash, for example the key itself.
 */
export const toKeyNumber = (hash: string): number => {
  if (!isHash(hash)) throw new RangeError("expected the hash of a key, 64 hex digits")
  return Number.parseInt(hash.slice(0, 12), 16)
}
