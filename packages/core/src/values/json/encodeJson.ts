/** Encodes a value as JSON in UTF-8; yields to the event loop while a large value is encoded. */
import * as Effect from "effect/Effect"
import { JsonWriter } from "./JsonWriter.ts"
import { isSmallJson, maxSyncBytes } from "./JsonCost.ts"
import { yieldToEventLoop } from "./yieldToEventLoop.ts"

const encoder = new TextEncoder()

/** Passes the bytes of `JSON.stringify(value)` to `take` in pieces. */
const encodeChunks: (value: unknown, take: (piece: Uint8Array) => void) => Effect.Effect<void> =
  Effect.fnUntraced(function* (value, take) {
    if (isSmallJson(value)) return take(encoder.encode(JSON.stringify(value)))
    const writer = new JsonWriter(value)
    for (;;) {
      yield* yieldToEventLoop
      const piece = writer.write(charactersPerTick)
      if (piece === undefined) return
      take(encoder.encode(piece))
    }
  })

/** Some tenths of a millisecond. */
const charactersPerTick = 4 * maxSyncBytes

export const encodeJson: (value: unknown) => Effect.Effect<Uint8Array> = Effect.fnUntraced(
  function* (value) {
    const pieces: Array<Uint8Array> = []
    yield* encodeChunks(value, (piece) => pieces.push(piece))
    const [first] = pieces
    if (first !== undefined && pieces.length === 1) return first
    const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    yield* yieldToEventLoop
    return whole
  }
)

/** The number of UTF-8 bytes. */
export const measureJson = (value: unknown): Effect.Effect<number> =>
  Effect.suspend(() => {
    let bytes = 0
    return Effect.map(
      encodeChunks(value, ({ length }) => (bytes += length)),
      () => bytes
    )
  })
