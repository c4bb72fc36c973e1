/** How well the connections of a simulated world work just now. */
import type { Chance } from "./Chance.ts"

/** Latencies and losses of one connection between two machines. */
export class Weather {
  readonly #chance: Chance
  /** The connection carries nothing. */
  isCut = false
  /** The share of messages that are lost with their connection. */
  lossRate = 0
  /** Half of the messages of calls whose names begin so are lost. */
  unlucky: string | undefined
  /** The share of messages that take long. */
  slowRate = 0.02

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** Milliseconds that a message of a call needs; undefined: it is lost, and the connection breaks. */
  send(name: string): number | undefined {
    if (this.isCut || this.#chance.happens(this.lossRate)) return undefined
    const isUnlucky = this.unlucky !== undefined && name.startsWith(this.unlucky)
    if (isUnlucky && this.#chance.happens(0.5)) return undefined
    return this.#chance.happens(this.slowRate)
      ? this.#chance.between(20, 400)
      : this.#chance.between(0, 3)
  }

  /** Milliseconds until an end of a broken connection notices. */
  detect(): number {
    return this.#chance.happens(0.7) ? this.#chance.between(1, 20) : this.#chance.between(20, 2_000)
  }
}
