/** Parses JSON of requests within bounds: of calls in process here, of bodies as they arrive in `api/body/readBody.ts`. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { hasOverflow, isDeeperThan } from "./JsonCost.ts"
import { copyJson } from "./copyJson.ts"
import { countUtf8Bytes } from "./countUtf8Bytes.ts"
import { yieldForBytes } from "./yieldToEventLoop.ts"
import * as Step from "../Step.ts"

/** Rejects invalid JSON, nesting deeper than `maxDepth`, and numbers that overflow a double. */
export const parseJson = (
  text: string,
  maxDepth: number
): Result.Result<unknown, InvalidRequest> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return Result.fail(invalidJson)
  }
  // A level costs two characters at least.
  if (text.length > 2 * maxDepth && isDeeperThan(json, maxDepth)) {
    return Result.fail(toTooDeep(maxDepth))
  }
  return hasOverflow(text, json) ? Result.fail(tooLargeNumber) : Result.succeed(json)
}

export const toInvalidBody = (problem: string): InvalidRequest =>
  new InvalidRequest({ path: [], problem })

export const invalidJson = toInvalidBody("the body is not valid JSON")

export const toTooDeep = (maxDepth: number): InvalidRequest =>
  toInvalidBody(`the body nests deeper than ${maxDepth} levels`)

export const tooLargeNumber = toInvalidBody("the body has a number that is too large")

interface RequestJson {
  readonly json: unknown
  /** UTF-8 bytes of its text. */
  readonly bytes: number
}

/** Copies a request of a call in process, as if it had been written as JSON and parsed. Yields after a large one. */
export const copyRequest = (
  request: unknown,
  maxDepth: number
): Effect.Effect<RequestJson, InvalidRequest> => {
  let copied: RequestJson | undefined
  try {
    copied = copyJson(request, maxDepth)
  } catch {
    // A getter has thrown, as it does again.
  }
  if (copied !== undefined) return Effect.succeed(copied)
  return Step.flatMap(stringifyRequest(request), ({ bytes, text }) =>
    Effect.fromResult(Result.map(parseJson(text, maxDepth), (json) => ({ json, bytes })))
  )
}

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
    return Effect.fail(toInvalidBody("the request cannot be written as JSON"))
  }
  const bytes = countUtf8Bytes(text)
  return Step.map(yieldForBytes(bytes), () => ({ text, bytes }))
}
