/** The number of an API key, where the wire has keys as integers (`io_logging_api_key_ids`). */
import type { KeyHash } from "./KeyHash.ts"

/**
 * The first 48 bits of the key's hash: the same for ever, without anything kept for it, and exact in
 * every JSON reader. Two keys of one workspace share a number once in 281 million million.
 */
export const keyNumber = (hash: KeyHash): number => Number.parseInt(hash.slice(0, 12), 16)
