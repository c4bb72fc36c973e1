/** The size of a value as JSON, in UTF-8 bytes, computed once. */
import * as Effect from "effect/Effect"
import { countJsonBytes, isSmallJson } from "./JsonCost.ts"
import { measureJson } from "./encodeJson.ts"

export interface JsonSize {
  /** Computed at the first call. */
  readonly get: () => number
  /** Computes the size beforehand: at once, unless a large value must yield to the event loop. */
  readonly measure: () => Effect.Effect<void>
}

export const makeJsonSize = (value: unknown): JsonSize => {
  let bytes: number | undefined
  const get = (): number => (bytes ??= countJsonBytes(value))
  return {
    get,
    measure: () => {
      if (bytes === undefined && !isSmallJson(value)) {
        return Effect.map(measureJson(value), (found) => {
          bytes = found
        })
      }
      get()
      return Effect.void
    }
  }
}
