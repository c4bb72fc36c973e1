/** Writes an in-process request as JSON text, so that it is parsed like one over HTTP. */
import * as Effect from "effect/Effect"
import { yieldForBytes } from "./yieldToEventLoop.ts"
import { countUtf8Bytes } from "./countUtf8Bytes.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"

interface RequestText {
  readonly text: string
  /** UTF-8 bytes of the text. */
  readonly bytes: number
}

/** Yields to the event loop after a large request. */
export const stringifyRequest = (request: unknown): Effect.Effect<RequestText, InvalidRequest> => {
  let text: string
  try {
    // A value without JSON text fails later like any request that is not an object.
    const written: string | undefined = JSON.stringify(request)
    text = written ?? "null"
  } catch {
    return Effect.fail(
      new InvalidRequest({ path: [], problem: "the request cannot be written as JSON" })
    )
  }
  const bytes = countUtf8Bytes(text)
  return Effect.mapEager(yieldForBytes(bytes), () => ({ text, bytes }))
}
