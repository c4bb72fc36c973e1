/** The size of a value as JSON, in UTF-8 bytes, computed once. */
import * as Effect from "effect/Effect"
import { countJsonBytes } from "./countJsonBytes.ts"
import { measureJson } from "./encodeJson.ts"

export interface JsonSize {
  /** Computed at the first call. */
  readonly get: () => number
  /** Computes the size beforehand; yields to the event loop while a large value is measured. */
  readonly measure: () => Effect.Effect<void>
}

export const makeJsonSize = (value: unknown): JsonSize => {
  let bytes: number | undefined
  return {
    get: () => (bytes ??= countJsonBytes(value)),
    measure: () =>
      bytes === undefined
        ? Effect.map(measureJson(value), (found) => {
            bytes = found
          })
        : Effect.void
  }
}
