/** A bounded cache in memory whose entries expire. */
import { setMostRecent } from "./setMostRecent.ts"

interface Entry<Value> {
  readonly value: Value
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Beyond its capacity it evicts the least recently used entry. The caller says what time it is. */
export class ExpiringCache<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>()
  readonly #capacity: number
  readonly #ttlMillis: number

  constructor(capacity: number, ttlMillis: number) {
    this.#capacity = capacity
    this.#ttlMillis = ttlMillis
  }

  get(key: Key, now: number): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // A clock that jumps back must not lengthen the life of an entry.
    if (entry.expiresAt <= now || entry.expiresAt > now + this.#ttlMillis) {
      this.#entries.delete(key)
      return undefined
    }
    // A cache that is not even half full evicts nothing before its entries are used again.
    if (this.#entries.size * 2 > this.#capacity) {
      setMostRecent(this.#entries, key, entry, this.#capacity)
    }
    return entry.value
  }

  set(key: Key, value: Value, now: number): void {
    setMostRecent(this.#entries, key, { value, expiresAt: now + this.#ttlMillis }, this.#capacity)
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  /** Deletes the entries for which `matches` is true. */
  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value)) this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
