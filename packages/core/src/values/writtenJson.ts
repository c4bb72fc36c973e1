/** Writes a request of a call in process as JSON text, so that it comes in by the way of those from the wire. */
import * as Effect from "effect/Effect"
import { ownTurn } from "./ownTurn.ts"
import { InvalidRequest } from "./RequestErrors.ts"

interface Written {
  readonly text: string
  /** UTF-8 bytes of the text. */
  readonly bytes: number
}

/** What comes after a large one begins in a turn of the event loop of its own. */
export const writtenJson = (request: unknown): Effect.Effect<Written, InvalidRequest> =>
  Effect.try({
    try: () => {
      // What JSON has no text for is told like any other request that is no object.
      const written: string | undefined = JSON.stringify(request)
      const text = written ?? "null"
      return { text, bytes: encoder.encode(text).byteLength }
    },
    catch: () => new InvalidRequest({ path: [], problem: "the request cannot be written as JSON" })
  }).pipe(Effect.tap(({ bytes }) => ownTurn(bytes)))

const encoder = new TextEncoder()
