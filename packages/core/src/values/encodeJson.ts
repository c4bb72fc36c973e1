/** Writes a value as JSON in UTF-8, in short turns of the event loop where it is large. */
import * as Effect from "effect/Effect"
import { JsonWriter } from "./JsonWriter.ts"
import { isLight, lightBytes, nextTurn } from "./ownTurn.ts"

const encoder = new TextEncoder()

/** Hands `take` the bytes of `JSON.stringify(value)`, piece by piece. */
const encodeEach: (value: unknown, take: (piece: Uint8Array) => void) => Effect.Effect<void> =
  Effect.fnUntraced(function* (value, take) {
    if (isLight(value)) return take(encoder.encode(JSON.stringify(value)))
    const writer = new JsonWriter(value)
    for (;;) {
      yield* nextTurn
      const piece = writer.write(charactersInOneTurn)
      if (piece === undefined) return
      take(encoder.encode(piece))
    }
  })

/** Some tenths of a millisecond. */
const charactersInOneTurn = 4 * lightBytes

export const encodeJson: (value: unknown) => Effect.Effect<Uint8Array> = Effect.fnUntraced(
  function* (value) {
    const pieces: Array<Uint8Array> = []
    yield* encodeEach(value, (piece) => pieces.push(piece))
    const [first] = pieces
    if (first !== undefined && pieces.length === 1) return first
    const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    yield* nextTurn
    return whole
  }
)

/** How many bytes they are. */
export const measureJson = (value: unknown): Effect.Effect<number> =>
  Effect.suspend(() => {
    let bytes = 0
    return Effect.map(
      encodeEach(value, ({ length }) => (bytes += length)),
      () => bytes
    )
  })
