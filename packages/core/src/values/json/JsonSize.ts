/** How many UTF-8 bytes a value has once it is written as JSON. */
import * as Effect from "effect/Effect"
import { measureJson } from "./encodeJson.ts"

export interface JsonSize {
  /** Worked out when somebody asks, and once. */
  readonly get: () => number
  /** Works it out beforehand, in turns of the event loop of their own where it is large. */
  readonly measure: Effect.Effect<void>
}

export const makeJsonSize = (value: unknown): JsonSize => {
  let bytes: number | undefined
  return {
    get: () => (bytes ??= encoder.encode(JSON.stringify(value)).byteLength),
    measure: Effect.suspend(() =>
      bytes === undefined
        ? Effect.map(measureJson(value), (found) => {
            bytes = found
          })
        : Effect.void
    )
  }
}

const encoder = new TextEncoder()
