/** Reads the JSON body of a request, from its stream or from the host's parser, without blocking the event loop. */
import * as Effect from "effect/Effect"
import * as Clock from "effect/Clock"
import * as Fiber from "effect/Fiber"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Settings } from "../../Settings.ts"
import { countJson } from "../../values/json/countJson.ts"
import { hasInfinity } from "../../values/json/hasOverflow.ts"
import { maxSyncBytes } from "../../values/json/isSmallJson.ts"
import { yieldToEventLoop, yieldForBytes } from "../../values/json/yieldToEventLoop.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { BodyLimit } from "./BodyLimit.ts"
import {
  type Body,
  type BodyReaderError,
  BodyReader,
  toRequestTooLarge,
  toTooManyNodes
} from "./BodyReader.ts"
import { BufferedBodies, makeBufferReservation } from "./BufferedBodies.ts"
import { HostBody } from "./HostBody.ts"
import { BodyTimedOut, NotJson, UnsupportedContentCoding } from "../errors/HttpErrors.ts"
import { type Inflater, BodyInflater } from "./BodyInflater.ts"

export type BodyError = BodyReaderError | BodyTimedOut | NotJson | UnsupportedContentCoding

export interface JsonBody {
  readonly json: unknown
  /** UTF-8 bytes of the decompressed body. */
  readonly bytes: number
}

export interface ReadBodyOptions {
  /** JSON in place of an empty body; without it, an empty body is invalid. */
  readonly whenEmpty?: string
  /** Checks the content type of a body that is not empty; default: any is accepted. */
  readonly hasJsonContentType?: (headers: HttpServerRequest.HttpServerRequest["headers"]) => boolean
}

/**
 * Reads and parses a JSON body within `limit`. A body that exceeds it is rejected before parsing, and the rest is
 * not read. Each expensive step starts in its own turn of the event loop, and so does the step after a large body.
 */
export const readBody: (
  request: HttpServerRequest.HttpServerRequest,
  limit: BodyLimit,
  options?: ReadBodyOptions
) => Effect.Effect<JsonBody, BodyError, Scope.Scope> = Effect.fnUntraced(function* (
  request,
  limit,
  options = {}
) {
  const settings = yield* Settings
  const reservation = makeBufferReservation(yield* BufferedBodies, settings.maxBufferedBodyBytes)
  const reader = new BodyReader(limit, reservation)
  return yield* Effect.ensuring(
    Effect.flatMap(receiveBody(request, limit, reader), (body) =>
      hasWrongContentType(request, body, options)
        ? Effect.fail(new NotJson())
        : Effect.mapError(parseBody(body, options.whenEmpty), (error): BodyError => error)
    ),
    Effect.sync(reservation.release)
  )
})

const hasWrongContentType = (
  { headers }: HttpServerRequest.HttpServerRequest,
  { bytes }: Body,
  { hasJsonContentType }: ReadBodyOptions
): boolean => bytes > 0 && hasJsonContentType?.(headers) === false

const parseBody = Effect.fnUntraced(function* (
  { bytes, mayOverflow, text }: Body,
  whenEmpty = ""
): Effect.fn.Return<JsonBody, InvalidRequest> {
  yield* yieldForBytes(bytes)
  // Concatenation leaves V8 a rope of chunks; reading a character flattens it in its own turn.
  text.charCodeAt(0)
  yield* yieldForBytes(bytes)
  let json: unknown
  try {
    json = JSON.parse(bytes === 0 ? whenEmpty : text)
  } catch {
    return yield* toInvalidBody("the body is not valid JSON")
  }
  if (mayOverflow) {
    yield* yieldForBytes(bytes)
    if (hasInfinity(json)) return yield* toInvalidBody("the body has a number that is too large")
  }
  yield* yieldForBytes(bytes)
  return { json, bytes }
})

const receiveBody: (
  request: HttpServerRequest.HttpServerRequest,
  limit: BodyLimit,
  reader: BodyReader
) => Effect.Effect<Body, BodyError, Scope.Scope> = Effect.fnUntraced(
  function* (request, limit, reader) {
    const byHost = yield* HostBody
    const body =
      byHost === undefined
        ? yield* getRequestStream(request, limit)
        : yield* getHostStream(byHost.value, limit)
    // Scoped to the request: interrupting the wait does not close the connection before the response is sent.
    const reading = yield* Effect.forkScoped(consumeStream(body, reader))
    yield* awaitBody(reading, reader)
    const read = reader.end()
    return "text" in read ? read : yield* Effect.fail(read)
  }
)

type BodyStream = Stream.Stream<Uint8Array, InvalidRequest>

/** Yields to the event loop after every `maxSyncBytes`. */
const consumeStream = (
  body: BodyStream,
  reader: BodyReader
): Effect.Effect<void, BodyReaderError> => {
  let room = maxSyncBytes
  const takeChunk = Effect.fnUntraced(function* (chunks: ReadonlyArray<Uint8Array>) {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) {
        if (room === 0) {
          yield* yieldToEventLoop
          room = maxSyncBytes
        }
        const piece = chunk.subarray(at, at + room)
        const problem = reader.push(piece)
        if (problem !== undefined) return yield* Effect.fail(problem)
        at += piece.length
        room -= piece.length
      }
    }
  })
  return Stream.runForEachArray(body, takeChunk)
}

/** Fails if no bytes arrive within the idle timeout, or the whole body takes too long. */
const awaitBody: (
  reading: Fiber.Fiber<void, BodyReaderError>,
  reader: BodyReader
) => Effect.Effect<void, BodyReaderError | BodyTimedOut> = Effect.fnUntraced(
  function* (reading, reader) {
    const { requestBodyTimeoutMillis, requestBodyIdleTimeoutMillis } = yield* Settings
    const end = (yield* Clock.currentTimeMillis) + requestBodyTimeoutMillis
    for (let seen = -1; reader.bytes > seen;) {
      seen = reader.bytes
      const left = end - (yield* Clock.currentTimeMillis)
      if (left <= 0) return yield* new BodyTimedOut({ timeoutMillis: requestBodyTimeoutMillis })
      const waiting = Effect.timeoutOption(
        Fiber.join(reading),
        Math.min(left, requestBodyIdleTimeoutMillis)
      )
      if (Option.isSome(yield* waiting)) return
    }
    return yield* new BodyTimedOut({ timeoutMillis: requestBodyIdleTimeoutMillis })
  }
)

const getRequestStream: (
  request: HttpServerRequest.HttpServerRequest,
  limit: BodyLimit
) => Effect.Effect<BodyStream, BodyReaderError | UnsupportedContentCoding> = Effect.fnUntraced(
  function* (request, limit) {
    const inflater = yield* BodyInflater
    const coding = parseContentCoding(request.headers["content-encoding"])
    if (coding !== undefined && !inflater.codings.includes(coding)) {
      return yield* new UnsupportedContentCoding({ coding, supported: inflater.codings })
    }
    const declared = Number(request.headers["content-length"] ?? 0)
    if (declared > limit.bytes) return yield* toRequestTooLarge(limit.bytes, limit.setting)
    if (isBodiless(request.source)) return Stream.empty
    const body = Stream.mapError(request.stream, () => unreadableBody)
    return coding === undefined ? body : yield* inflateStream(inflater, coding, body)
  }
)

/** A web-standard request without a body has no stream. */
const isBodiless = (source: object): boolean => "body" in source && source.body === null

const inflateStream = (
  { inflate }: Inflater,
  coding: string,
  body: BodyStream
): Effect.Effect<BodyStream> =>
  Effect.map(Stream.toAsyncIterableEffect(body), (compressed) =>
    Stream.fromAsyncIterable(
      inflate(coding, compressed),
      () => new InvalidRequest({ path: [], problem: `the body is not valid ${coding}` })
    )
  )

/** Content codings are case-insensitive, and `x-gzip` equals `gzip` (RFC 9110, section 8.4.1). */
const parseContentCoding = (header: string | undefined): string | undefined => {
  const coding = header?.trim().toLowerCase()
  if (coding === undefined || coding === "" || coding === "identity") return undefined
  return coding === "x-gzip" ? "gzip" : coding
}

/** A body from the host's parser is already decompressed, whatever its header says. */
const getHostStream: (
  value: unknown,
  limit: BodyLimit
) => Effect.Effect<BodyStream, BodyReaderError> = Effect.fnUntraced(function* (value, limit) {
  if (value instanceof Error) return yield* unreadableBody
  if (value instanceof Uint8Array) return Stream.succeed(value)
  if (isAsyncIterable(value)) {
    return Stream.mapEffect(
      Stream.fromAsyncIterable(value, () => unreadableBody),
      (chunk) =>
        chunk instanceof Uint8Array
          ? Effect.succeed(chunk)
          : typeof chunk === "string"
            ? Effect.succeed(encoder.encode(chunk))
            : Effect.fail(unreadableBody)
    )
  }
  const text = typeof value === "string" ? value : yield* stringifyWithinLimit(value, limit)
  // Every UTF-16 code unit takes at least one byte.
  if (text.length > limit.bytes) return yield* toRequestTooLarge(limit.bytes, limit.setting)
  yield* yieldForBytes(text.length)
  return Stream.succeed(encoder.encode(text))
})

const encoder = new TextEncoder()

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value

/** Measures a value before encoding it, because the host may have read more than the limit. */
const stringifyWithinLimit: (
  value: unknown,
  limit: BodyLimit
) => Effect.Effect<string, BodyReaderError> = Effect.fnUntraced(function* (value, limit) {
  const counting = countJson(
    value,
    ({ minBytes, nodes }) => minBytes > limit.bytes || nodes > limit.nodes
  )
  let step = counting.next()
  while (step.done !== true) {
    yield* yieldToEventLoop
    step = counting.next()
  }
  const { minBytes, nodes } = step.value
  if (nodes > limit.nodes) return yield* toTooManyNodes(limit)
  if (minBytes > limit.bytes) return yield* toRequestTooLarge(limit.bytes, limit.setting)
  yield* yieldForBytes(minBytes)
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    return yield* toInvalidBody("the body nests too deeply")
  }
})

const toInvalidBody = (problem: string) => new InvalidRequest({ path: [], problem })

const unreadableBody = toInvalidBody("the body could not be read")
