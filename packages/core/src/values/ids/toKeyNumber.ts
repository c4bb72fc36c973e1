/** The integer that stands for an API key in `io_logging_api_key_ids`. */
import * as Schema from "effect/Schema"
import { KeyHash } from "./KeyHash.ts"

const isHash = Schema.is(KeyHash)

/**
 * The first 48 bits of the key's hash: the same for ever, without anything kept for it, and exact in
 * every JSON reader. Two keys of one workspace share a number once in 281 million million. Throws a `RangeError`
 * for what is no hash, such as the key itself.
 */
export const toKeyNumber = (hash: string): number => {
  if (!isHash(hash)) throw new RangeError("expected the hash of a key, 64 hex digits")
  return Number.parseInt(hash.slice(0, 12), 16)
}
