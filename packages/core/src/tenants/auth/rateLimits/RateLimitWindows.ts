/** Rate-limit windows in memory; ended windows are swept. */
import type { KeyRateLimit } from "../keys/ApiKey.ts"

interface RateLimitWindow {
  count: number
  endsAt: number
}

export class RateLimitWindows {
  readonly #windows = new Map<string, RateLimitWindow>()
  #nextSweep = minSweepSize

  /** The number of stored windows: at most `minSweepSize`, or twice the number that were open together. */
  get size(): number {
    return this.#windows.size
  }

  /** Does the same as `RateLimitStore.take`, at `now` in milliseconds of a clock that never jumps. */
  take(key: string, { requests, windowMillis }: KeyRateLimit, now: number): number {
    let window = this.#windows.get(key)
    if (window === undefined || window.endsAt <= now) {
      this.#sweep(now)
      window = { count: 0, endsAt: now }
      this.#windows.set(key, window)
    }
    if (window.count >= requests) return Math.ceil(window.endsAt - now - roundingError)
    window.count++
    window.endsAt += windowMillis / requests
    return 0
  }

  /** Sweeps only when the number has doubled, so that the amortized cost per request is constant. */
  #sweep(now: number): void {
    if (this.#windows.size < this.#nextSweep) return
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key)
    this.#nextSweep = Math.max(minSweepSize, this.#windows.size * 2)
  }
}

/** Milliseconds: more than a sum of parts of a window differs from it. */
const roundingError = 1e-3

const minSweepSize = 1000
