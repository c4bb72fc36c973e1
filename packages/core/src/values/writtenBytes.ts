/** How many UTF-8 bytes a value has once it is written as JSON. */
import * as Effect from "effect/Effect"
import { ownTurn } from "./ownTurn.ts"

export interface WrittenBytes {
  /** Worked out when somebody asks, and once. */
  readonly get: () => number
  /** Works it out beforehand, in turns of the event loop of their own where it is large. */
  readonly measure: Effect.Effect<void>
}

/** `about` says how large it is, such as the bytes it was read from. */
export const writtenBytes = (value: unknown, about: number): WrittenBytes => {
  let bytes: number | undefined
  return {
    get: () => (bytes ??= encodedBytes(JSON.stringify(value))),
    measure: Effect.suspend(() =>
      bytes === undefined
        ? Effect.map(measured(value, about), (found) => {
            bytes = found
          })
        : Effect.void
    )
  }
}

const measured = Effect.fnUntraced(function* (value: unknown, about: number) {
  yield* ownTurn(about)
  const text = JSON.stringify(value)
  yield* ownTurn(text.length)
  return encodedBytes(text)
})

const encoder = new TextEncoder()

const encodedBytes = (text: string): number => encoder.encode(text).byteLength
