/** Counts the requests of this process that wait for a connection to their provider. */

export class ConnectionWaits {
  readonly #waiting = new Map<string, number>()
  /** When it was last warned of each provider, by `Health.time`. */
  readonly #warnedAt = new Map<string, number>()

  begin(provider: string): void {
    this.#waiting.set(provider, (this.#waiting.get(provider) ?? 0) + 1)
  }

  end(provider: string): void {
    this.#waiting.set(provider, (this.#waiting.get(provider) ?? 1) - 1)
  }

  /** The providers whose connections were ever all in use, with the requests that wait now. */
  list(): ReadonlyArray<readonly [provider: string, waiting: number]> {
    return Array.from(this.#waiting)
  }

  /** Whether to warn that a request waited in vain: once a minute for each provider. */
  claimWarning(provider: string, now: number): boolean {
    const warnedAt = this.#warnedAt.get(provider)
    if (warnedAt !== undefined && now - warnedAt < warningMillis) return false
    this.#warnedAt.set(provider, now)
    return true
  }
}

const warningMillis = 60_000
