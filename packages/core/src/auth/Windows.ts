/** Fixed windows by key, in memory: those that are over are let go. */

interface Window {
  count: number
  /** Milliseconds since the epoch. */
  endsAt: number
}

export class Windows {
  readonly #windows = new Map<string, Window>()
  #nextSweep = fewest

  /** How many windows are kept: at most twice as many as were open together, or `fewest`. */
  get size(): number {
    return this.#windows.size
  }

  /**
   * Adds `tokens` to the window of `key`, unless that would be more than `limit`; each lengthens it by
   * `millis`. Gives how many there are, or would be, and for how many milliseconds the window goes on.
   */
  take(
    key: string,
    { limit, millis, now, tokens }: Taking
  ): readonly [count: number, millisLeft: number] {
    let window = this.#windows.get(key)
    if (window === undefined || window.endsAt <= now) {
      this.#sweep(now)
      window = { count: 0, endsAt: now }
      this.#windows.set(key, window)
    }
    const count = window.count + tokens
    if (limit !== undefined && count > limit) return [count, window.endsAt - now]
    window.count = count
    window.endsAt += millis * tokens
    return [count, window.endsAt - now]
  }

  /** Looks at all of them only once they have doubled, so that a request pays for two at most. */
  #sweep(now: number): void {
    if (this.#windows.size < this.#nextSweep) return
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key)
    this.#nextSweep = Math.max(fewest, this.#windows.size * 2)
  }
}

export interface Taking {
  readonly tokens: number
  readonly limit: number | undefined
  readonly millis: number
  readonly now: number
}

const fewest = 1000
