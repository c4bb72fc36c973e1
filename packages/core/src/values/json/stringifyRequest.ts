/** Writes an in-process request as JSON text, so that it is parsed like one over HTTP. */
import * as Effect from "effect/Effect"
import { yieldForBytes } from "./yieldToEventLoop.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"

interface RequestText {
  readonly text: string
  /** UTF-8 bytes of the text. */
  readonly bytes: number
}

/** What comes after a large one begins in a turn of the event loop of its own. */
export const stringifyRequest = (request: unknown): Effect.Effect<RequestText, InvalidRequest> =>
  Effect.try({
    try: () => {
      // What JSON has no text for is told like any other request that is no object.
      const written: string | undefined = JSON.stringify(request)
      const text = written ?? "null"
      return { text, bytes: encoder.encode(text).byteLength }
    },
    catch: () => new InvalidRequest({ path: [], problem: "the request cannot be written as JSON" })
  }).pipe(Effect.tap(({ bytes }) => yieldForBytes(bytes)))

const encoder = new TextEncoder()
