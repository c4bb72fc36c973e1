/** The size of a value as JSON, in UTF-8 bytes, computed once. */
import * as Effect from "effect/Effect"
import { countJsonBytes, isSmallJson } from "./JsonCost.ts"
import { measureJson } from "./encodeJson.ts"

export class JsonSize {
  readonly #value: unknown
  readonly #least: number
  #bytes: number | undefined = undefined

  /** `least`: how much it counts for at least. */
  constructor(value: unknown, least = 0) {
    this.#value = value
    this.#least = least
  }

  /** Computed at the first call. */
  get(): number {
    return Math.max((this.#bytes ??= countJsonBytes(this.#value)), this.#least)
  }

  /** Computes the size beforehand: at once, unless a large value must yield to the event loop. */
  measure(): Effect.Effect<void> {
    if (this.#bytes === undefined && !isSmallJson(this.#value)) {
      return Effect.map(measureJson(this.#value), (found) => {
        this.#bytes = found
      })
    }
    this.get()
    return Effect.void
  }
}
