/** Reads the answer of an attempt: an error, JSON, text, a file or a stream of events. */
import type { Attempt } from "./Attempt.ts"
import {
  InvalidResponseError,
  ResponseError,
  StreamError,
  TruncatedStreamError
} from "./ClientError.ts"
import { parseRetryAfter } from "./findRetryDelay.ts"
import { isObject, parseErrorFacts } from "./parseErrorFacts.ts"
import { makeEventParser } from "./parseEvents.ts"

/** A file. Read `body` to its end or cancel it, because it holds a connection. */
export interface FileResponse {
  readonly contentType: string | null
  /** Bytes in `body`; undefined if the server does not say. */
  readonly length: number | undefined
  readonly body: ReadableStream<Uint8Array>
}

/** Throws the error of a response unless it has a success status. */
export const checkStatus = async (attempt: Attempt): Promise<void> => {
  const { headers, ok, status } = attempt.response
  if (ok) return
  const facts = parseErrorFacts(parseJson(attempt.redact(await readText(attempt))))
  if (facts === undefined) throw new InvalidResponseError(status, attempt.toCall())
  const retryAfterMillis = parseRetryAfter(headers.get("retry-after"))
  throw new ResponseError(status, facts, { ...attempt.toCall(), retryAfterMillis })
}

export const readText = async (attempt: Attempt): Promise<string> => {
  const text = await attempt.run(() => attempt.response.text())
  attempt.end()
  return text
}

/** Checks only that the answer is JSON: the contract says which. */
export const readJson = async <A>(attempt: Attempt): Promise<A> => {
  const text = await readText(attempt)
  const { status } = attempt.response
  const value = parseJson(text)
  if (value === undefined && status !== 204)
    throw new InvalidResponseError(status, attempt.toCall())
  // The contract declares this type.
  return value as A
}

/** The caller's signal cancels the download, too; the timeout does not apply to it. */
export const readFile = (attempt: Attempt): FileResponse => {
  attempt.stopTimer()
  const { body, headers } = attempt.response
  const length = headers.get("content-length")
  return {
    contentType: headers.get("content-type"),
    length: length === null ? undefined : Number(length),
    body: body ?? new Blob().stream()
  }
}

/** `last`: the data or the type of the event that ends a complete stream; undefined if none does. */
export async function* readEvents<A>(
  attempt: Attempt,
  last: string | undefined
): AsyncGenerator<A> {
  const { body, headers, status } = attempt.response
  const type = headers.get("content-type") ?? ""
  if (type.startsWith("application/json")) {
    // The answer without a stream, of operations that have one.
    yield await readJson<A>(attempt)
    return
  }
  if (body === null || !type.startsWith("text/event-stream")) {
    attempt.end()
    attempt.abort()
    throw new InvalidResponseError(status, attempt.toCall())
  }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const parse = makeEventParser()
  try {
    for (;;) {
      attempt.startTimer()
      const { done, value } = await attempt.run(() => reader.read())
      // A caller that takes its time is no silence of the server.
      attempt.stopTimer()
      for (const data of parse(decoder.decode(value, { stream: !done }))) {
        if (data === "[DONE]") {
          if (data === last) return
          continue
        }
        const event = parseJson(data)
        if (event === undefined) throw new InvalidResponseError(status, attempt.toCall())
        if (parseErrorFacts(event) !== undefined) throw toStreamError(attempt, data)
        // The contract declares this type.
        yield event as A
        if (last !== undefined && isObject(event) && event["type"] === last) return
      }
      if (!done) continue
      if (last === undefined) return
      throw new TruncatedStreamError(attempt.toCall())
    }
  } finally {
    attempt.end()
    // Stops the server's stream when the reader leaves; has no effect after the end.
    attempt.abort()
  }
}

const toStreamError = (attempt: Attempt, data: string): Error => {
  const event = parseJson(attempt.redact(data))
  const facts = parseErrorFacts(event)
  return facts === undefined
    ? new InvalidResponseError(attempt.response.status, attempt.toCall())
    : new StreamError(facts, attempt.toCall(event))
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
