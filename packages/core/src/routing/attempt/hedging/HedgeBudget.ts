/** How many requests may be hedged: a token bucket that requests fill, not time, so a bad day hedges no larger share. */

const size = 10

export class HedgeBudget {
  readonly #share: number
  #tokens = size

  constructor(share: number) {
    this.#share = share
  }

  addRequest(): void {
    this.#tokens = Math.min(size, this.#tokens + this.#share)
  }

  /** Whether a request may be hedged, which it then is. */
  take(): boolean {
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** The hedge was not started after all. */
  giveBack(): void {
    this.#tokens = Math.min(size, this.#tokens + 1)
  }
}
