/** The one source of chance of a simulated world: the same seed draws the same numbers. */

/** Mulberry32, which is small, fast and good enough to choose events. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  /** True with this probability. */
  happens(probability: number): boolean {
    return this.next() < probability
  }

  pick<A>(all: readonly [A, ...ReadonlyArray<A>]): A {
    return all[Math.floor(this.next() * all.length)] ?? all[0]
  }
}
