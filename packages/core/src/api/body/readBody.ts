/** Reads the JSON body of a request, from its stream or from the host's parser, without blocking the event loop. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Settings } from "../../instance/Settings.ts"
import { countJson, hasInfinity, maxSyncBytes } from "../../values/json/JsonCost.ts"
import { isObject } from "../../values/json/guards.ts"
import { invalidJson, toInvalidBody, tooLargeNumber } from "../../values/json/parseJson.ts"
import { yieldForBytes, yieldToEventLoop } from "../../values/json/yieldToEventLoop.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { BodyInflater, type Inflater } from "./BodyInflater.ts"
import type { BodyLimit } from "./BodyLimit.ts"
import {
  type Body,
  BodyReader,
  type BodyReaderError,
  BufferedBodies,
  BufferReservation,
  toRequestTooLarge,
  toTooManyNodes
} from "./BodyReader.ts"
import { BodyReceiver } from "./BodyReceiver.ts"
import { type BodyRequest, findLostBody, type RequestHeaders } from "./BodyRequest.ts"
import { type BodySource, bytesSource, emptySource, IterableSource } from "./BodySource.ts"
import { type BodyTimedOut, NotJson, UnsupportedContentCoding } from "../errors/HttpErrors.ts"
import { isJson } from "./contentType.ts"
import { evaluate } from "../../values/eager.ts"
import type { AnyEffect, AnyExit, PendingRun } from "../../values/Pending.ts"
import { Following } from "../../values/pendingSteps.ts"
import * as Step from "../../values/Step.ts"

export type BodyError = BodyReaderError | BodyTimedOut | NotJson | UnsupportedContentCoding

export interface JsonBody {
  readonly json: unknown
  /** UTF-8 bytes of the decompressed body. */
  readonly bytes: number
}

export interface ReadBodyOptions {
  /** JSON that replaces an empty body; without it, an empty body is invalid. */
  readonly whenEmpty?: string
  /** Checks the content type of a body that is not empty; default: any is accepted. */
  readonly hasJsonContentType?: (headers: RequestHeaders) => boolean
}

/**
 * Reads and parses a JSON body within `limit`. A body that exceeds it is rejected before parsing, and the rest is
 * not read. Each expensive step starts in its own turn of the event loop, and so does the step after a large body.
 */
export type ReadBody = (
  request: BodyRequest,
  limit: BodyLimit,
  options?: ReadBodyOptions
) => Effect.Effect<JsonBody, BodyError>

/** Makes the reader of bodies with the settings of the current context, and its bound on buffered bytes. */
export const makeReadBody: Effect.Effect<ReadBody> = Effect.gen(function* () {
  const settings = yield* Settings
  const buffered = yield* BufferedBodies
  const inflater = yield* BodyInflater
  const clock = yield* Clock.Clock
  return (request, limit, options) =>
    Step.flatMap(
      openBody(request, limit, inflater, toHostBytes),
      ({ brokenOff = unreadableBody, declaredBytes, source }) => {
        const reservation = new BufferReservation(buffered, settings.maxBufferedBodyBytes)
        const reader = new BodyReader(limit, reservation, declaredBytes)
        const receiver = new BodyReceiver(source, reader, brokenOff, clock, settings)
        return new ParsedBody(receiver, reservation, request.headers, options)
      }
    )
})

/** Parses a body when it has been received. Its bytes stay reserved until then. */
class ParsedBody extends Following<Body, BodyError, never, JsonBody, BodyError, never> {
  readonly #receiver: BodyReceiver<Body>
  readonly #reservation: BufferReservation
  readonly #headers: RequestHeaders
  readonly #options: ReadBodyOptions | undefined

  constructor(
    receiver: BodyReceiver<Body>,
    reservation: BufferReservation,
    headers: RequestHeaders,
    options: ReadBodyOptions | undefined
  ) {
    super(receiver)
    this.#receiver = receiver
    this.#reservation = reservation
    this.#headers = headers
    this.#options = options
  }

  next(received: AnyExit, { interruption }: PendingRun): AnyEffect {
    this.#receiver.stop()
    // The result of the receiver.
    const exit = received as Exit.Exit<Body, BodyError>
    if (interruption !== undefined || exit._tag === "Failure") {
      this.#reservation.release()
      return interruption ?? exit
    }
    return Step.onExit(
      evaluate(() => this.#parse(exit.value)),
      () => {
        this.#reservation.release()
        return Effect.void
      }
    )
  }

  #parse(body: Body): Effect.Effect<JsonBody, BodyError> {
    return hasWrongContentType(this.#headers, body, this.#options)
      ? Effect.fail(new NotJson())
      : parseBody(body, this.#options?.whenEmpty)
  }
}

const hasWrongContentType = (
  headers: RequestHeaders,
  { bytes }: Body,
  options: ReadBodyOptions | undefined
): boolean => bytes > 0 && options?.hasJsonContentType?.(headers) === false

/** Each expensive step on a large body has a turn of the event loop of its own. */
const parseBody = (
  { bytes, mayOverflow, text }: Body,
  whenEmpty = ""
): Effect.Effect<JsonBody, InvalidRequest> => {
  const json = bytes === 0 ? whenEmpty : text
  return bytes <= maxSyncBytes
    ? parseText(json, bytes, mayOverflow)
    : parseInTurns(json, bytes, mayOverflow)
}

const parseInTurns = Effect.fnUntraced(function* (
  text: string,
  bytes: number,
  mayOverflow: boolean
): Effect.fn.Return<JsonBody, InvalidRequest> {
  yield* yieldForBytes(bytes)
  // Concatenation leaves V8 a rope of chunks; reading a character flattens it.
  text.charCodeAt(0)
  yield* yieldForBytes(bytes)
  const parsed = yield* parseText(text, bytes, false)
  if (mayOverflow) {
    yield* yieldForBytes(bytes)
    yield* checkNumbers(parsed)
  }
  yield* yieldForBytes(bytes)
  return parsed
})

const parseText = (
  text: string,
  bytes: number,
  mayOverflow: boolean
): Exit.Exit<JsonBody, InvalidRequest> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return Exit.fail(invalidJson)
  }
  const parsed = { json, bytes }
  return mayOverflow ? checkNumbers(parsed) : Exit.succeed(parsed)
}

const checkNumbers = (body: JsonBody): Exit.Exit<JsonBody, InvalidRequest> =>
  hasInfinity(body.json) ? Exit.fail(tooLargeNumber) : Exit.succeed(body)

/** Yields before a step of a large body. */
const inOwnTurn = <A, E>(bytes: number, step: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Step.flatMap(yieldForBytes(bytes), step)

interface OpenedBody {
  readonly source: BodySource
  readonly declaredBytes?: number
  /** The error if the source fails; default: `unreadableBody`. */
  readonly brokenOff?: InvalidRequest
}

type Opening = Effect.Effect<OpenedBody, BodyReaderError | UnsupportedContentCoding>

/** A parser of forms takes JSON for the name of a field: `{ '{"model":"a/b"}': "" }`. */
const isJsonReadAsForm = (value: unknown, headers: RequestHeaders): boolean => {
  if (!isObject(value) || !isJson(headers)) return false
  for (const name in value) return /^\s*[[{]/.test(name)
  return false
}

/** `toHostBytes` encodes the body that the host has read. */
export const openBody = <Limit extends Pick<BodyLimit, "bytes" | "setting">>(
  request: BodyRequest,
  limit: Limit,
  inflater: Inflater,
  toHostBytes: (value: unknown, limit: Limit) => Effect.Effect<Uint8Array, BodyReaderError>
): Opening => {
  const { headers, hostBody } = request
  if (hostBody !== undefined) {
    if (isJsonReadAsForm(hostBody.value, headers)) return Effect.fail(readAsForm)
    return isAsyncIterable(hostBody.value)
      ? Effect.succeed({ source: new IterableSource(hostBody.value, request.scope) })
      : Step.map(toHostBytes(hostBody.value, limit), (bytes) => ({
          source: bytesSource(bytes),
          declaredBytes: bytes.length
        }))
  }
  const lost = findLostBody(request.source, headers)
  if (lost !== undefined) return Effect.fail(toInvalidBody(lost))
  const coding = parseContentCoding(headers["content-encoding"])
  if (coding !== undefined && !inflater.codings.includes(coding)) {
    return Effect.fail(new UnsupportedContentCoding({ coding, supported: inflater.codings }))
  }
  const declaredBytes = Number(headers["content-length"] ?? 0)
  if (declaredBytes > limit.bytes) {
    return Effect.fail(toRequestTooLarge(limit.bytes, limit.setting))
  }
  const source = request.openBody()
  if (source === undefined) return Effect.succeed({ source: emptySource })
  if (coding === undefined) return Effect.succeed({ source, declaredBytes })
  return Effect.succeed({
    source: new IterableSource(inflater.inflate(coding, request.iterateBody()), request.scope),
    brokenOff: toInvalidBody(`the body is not valid ${coding}`)
  })
}

/** Content codings are case-insensitive, and `x-gzip` equals `gzip` (RFC 9110, section 8.4.1). */
const parseContentCoding = (header: string | undefined): string | undefined => {
  const coding = header?.trim().toLowerCase()
  if (coding === undefined || coding === "" || coding === "identity") return undefined
  return coding === "x-gzip" ? "gzip" : coding
}

/** The host's parser has already decompressed its body, although the header still names an encoding. */
const toHostBytes = (
  value: unknown,
  limit: BodyLimit
): Effect.Effect<Uint8Array, BodyReaderError> => {
  if (value instanceof Error) return Effect.fail(unreadableBody)
  if (value instanceof Uint8Array) return Effect.succeed(value)
  const text =
    typeof value === "string" ? Effect.succeed(value) : stringifyWithinLimit(value, limit)
  return Step.flatMap(text, (text) =>
    // Every UTF-16 code unit takes at least one byte.
    text.length > limit.bytes
      ? Effect.fail(toRequestTooLarge(limit.bytes, limit.setting))
      : inOwnTurn(text.length, () => Effect.succeed(encoder.encode(text)))
  )
}

const encoder = new TextEncoder()

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value

/** Measures a value before encoding it, because the host may have read more than the limit. */
const stringifyWithinLimit = (
  value: unknown,
  limit: BodyLimit
): Effect.Effect<string, BodyReaderError> => {
  const counting = countJson(
    value,
    ({ minBytes, nodes }) => minBytes > limit.bytes || nodes > limit.nodes
  )
  const count = (): Effect.Effect<string, BodyReaderError> => {
    const step = counting.next()
    if (step.done !== true) return Effect.flatMap(yieldToEventLoop, count)
    const { minBytes, nodes } = step.value
    if (nodes > limit.nodes) return Effect.fail(toTooManyNodes(limit))
    if (minBytes > limit.bytes) return Effect.fail(toRequestTooLarge(limit.bytes, limit.setting))
    return inOwnTurn(minBytes, () => stringify(value))
  }
  return count()
}

const stringify = (value: unknown): Effect.Effect<string, InvalidRequest> => {
  try {
    return Effect.succeed(JSON.stringify(value) ?? "")
  } catch {
    return Effect.fail(toInvalidBody("the body nests too deeply"))
  }
}

const readAsForm = toInvalidBody(
  "the host's body parser read the JSON body as a form; mount Signalbox before it, or let it parse " +
    "application/x-www-form-urlencoded alone"
)

/** The body broke off. */
export const unreadableBody = toInvalidBody("the body could not be read")
