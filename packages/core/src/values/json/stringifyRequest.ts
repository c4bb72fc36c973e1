/** Writes an in-process request as JSON text, so that it is parsed like one over HTTP. */
import * as Effect from "effect/Effect"
import { yieldForBytes } from "./yieldToEventLoop.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"

interface RequestText {
  readonly text: string
  /** UTF-8 bytes of the text. */
  readonly bytes: number
}

/** Yields to the event loop after a large request. */
export const stringifyRequest = (request: unknown): Effect.Effect<RequestText, InvalidRequest> =>
  Effect.try({
    try: () => {
      // A value without JSON text fails later like any request that is not an object.
      const written: string | undefined = JSON.stringify(request)
      const text = written ?? "null"
      return { text, bytes: encoder.encode(text).byteLength }
    },
    catch: () => new InvalidRequest({ path: [], problem: "the request cannot be written as JSON" })
  }).pipe(Effect.tap(({ bytes }) => yieldForBytes(bytes)))

const encoder = new TextEncoder()
