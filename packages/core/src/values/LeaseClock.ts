/** The time of leases and deadlines, which other processes read: the system's time, without its jumps. */
import type * as Clock from "effect/Clock"
import { readMonotonicMillis } from "./SteadyTime.ts"

/** All are milliseconds since the epoch, and the same unless the system clock has jumped. */
interface LeaseTime {
  /** The system's time, in milliseconds since the epoch. */
  readonly now: number
  /** Leases that end by then have expired. */
  readonly earliest: number
  /** From when a new lease lasts. */
  readonly latest: number
}

/**
 * When the system clock jumps, it is unknown which of its times other processes share. Until every lease of before has
 * ended, nothing expires that is still running by either time, and new leases last long enough by both. What jumps and what
 * does not: https://man7.org/linux/man-pages/man2/clock_gettime.2.html.
 */
export class LeaseClock {
  /** The time of day less the monotonic time; undefined: not read yet. */
  #offset: number | undefined
  /** When a jump was seen, in monotonic milliseconds. */
  #jumpedAt: number | undefined
  #longestLeaseMillis = 0

  read(clock: Clock.Clock, leaseMillis: number): LeaseTime {
    const now = clock.currentTimeMillisUnsafe()
    const monotonic = readMonotonicMillis(clock)
    const expected = monotonic + (this.#offset ?? now - monotonic)
    this.#longestLeaseMillis = Math.max(this.#longestLeaseMillis, leaseMillis)
    if (Math.abs(now - expected) > maxSlewMillis) {
      this.#jumpedAt ??= monotonic
      if (monotonic - this.#jumpedAt <= this.#longestLeaseMillis) {
        return { now, earliest: Math.min(now, expected), latest: Math.max(now, expected) }
      }
    }
    this.#jumpedAt = undefined
    this.#offset = now - monotonic
    return { now, earliest: now, latest: now }
  }
}

/** Smaller corrections are followed at once. */
const maxSlewMillis = 1_000
