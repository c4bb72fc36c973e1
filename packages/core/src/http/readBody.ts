/** Reads the JSON of a request body, from the stream or from what the host has read already, without blocking others. */
import * as Effect from "effect/Effect"
import * as Clock from "effect/Clock"
import * as Fiber from "effect/Fiber"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Settings } from "../Settings.ts"
import { countJson } from "../values/countJson.ts"
import { holdsInfinity } from "../values/jsonOverflow.ts"
import { lightBytes, nextTurn, ownTurn } from "../values/ownTurn.ts"
import { InvalidRequest } from "../values/RequestErrors.ts"
import type { BodyLimit } from "./BodyLimit.ts"
import { type Body, type BodyProblem, BodyReader, tooLarge, tooManyNodes } from "./BodyReader.ts"
import { BufferedBodies, shareOf } from "./BufferedBodies.ts"
import { HostBody } from "./HostBody.ts"
import { BodyStalled, NotJson, UnknownCoding } from "./HttpErrors.ts"
import { type Inflater, Inflating } from "./Inflating.ts"

export type BodyError = BodyProblem | BodyStalled | NotJson | UnknownCoding

export interface ReadJson {
  readonly json: unknown
  /** UTF-8 bytes of the body, unpacked. */
  readonly bytes: number
}

export interface ReadOptions {
  /** What a body of nothing means; default: it is no JSON. */
  readonly whenEmpty?: string
  /** Whether a body of something is taken only if it is said to be JSON. */
  readonly isSaidToBeJson?: (headers: HttpServerRequest.HttpServerRequest["headers"]) => boolean
}

/**
 * What a body holds, if it is JSON and within `limit`; what is too large or holds too much is refused before it is
 * parsed, and the rest of it is not read. Whatever takes long begins in a turn of the event loop of its own, and so
 * does what comes after a body that is large.
 */
export const readBody: (
  request: HttpServerRequest.HttpServerRequest,
  limit: BodyLimit,
  options?: ReadOptions
) => Effect.Effect<ReadJson, BodyError, Scope.Scope> = Effect.fnUntraced(function* (
  request,
  limit,
  options = {}
) {
  const settings = yield* Settings
  const share = shareOf(yield* BufferedBodies, settings.bufferedBodyBytes)
  const reader = new BodyReader(limit, share)
  return yield* Effect.ensuring(
    Effect.flatMap(arrived(request, limit, reader), (body) =>
      saysOtherwise(request, body, options)
        ? Effect.fail(new NotJson())
        : Effect.mapError(parsed(body, options.whenEmpty), (error): BodyError => error)
    ),
    Effect.sync(share.giveBack)
  )
})

const saysOtherwise = (
  { headers }: HttpServerRequest.HttpServerRequest,
  { bytes }: Body,
  { isSaidToBeJson }: ReadOptions
): boolean => bytes > 0 && isSaidToBeJson?.(headers) === false

const parsed = Effect.fnUntraced(function* (
  { bytes, mayOverflow, text }: Body,
  whenEmpty = ""
): Effect.fn.Return<ReadJson, InvalidRequest> {
  yield* ownTurn(bytes)
  // It was put together of pieces, which V8 makes one of when a character is looked at.
  text.charCodeAt(0)
  yield* ownTurn(bytes)
  let json: unknown
  try {
    json = JSON.parse(bytes === 0 ? whenEmpty : text)
  } catch {
    return yield* invalid("the body is not valid JSON")
  }
  if (mayOverflow) {
    yield* ownTurn(bytes)
    if (holdsInfinity(json)) return yield* invalid("the body holds a number that is too large")
  }
  yield* ownTurn(bytes)
  return { json, bytes }
})

const arrived: (
  request: HttpServerRequest.HttpServerRequest,
  limit: BodyLimit,
  reader: BodyReader
) => Effect.Effect<Body, BodyError, Scope.Scope> = Effect.fnUntraced(
  function* (request, limit, reader) {
    const byHost = yield* HostBody
    const body =
      byHost === undefined ? yield* streamOf(request, limit) : yield* ofHost(byHost.value, limit)
    // On its own until the response is out: whoever stops waiting for it takes the connection away from nobody.
    const reading = yield* Effect.forkScoped(take(body, reader))
    yield* inTime(reading, reader)
    const read = reader.end()
    return "text" in read ? read : yield* Effect.fail(read)
  }
)

type Arriving = Stream.Stream<Uint8Array, InvalidRequest>

/** No more of it in one turn of the event loop than is light work. */
const take = (body: Arriving, reader: BodyReader): Effect.Effect<void, BodyProblem> => {
  let room = lightBytes
  const takeChunk = Effect.fnUntraced(function* (chunks: ReadonlyArray<Uint8Array>) {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) {
        if (room === 0) {
          yield* nextTurn
          room = lightBytes
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

/** Waits for it as long as some more of it arrives, and not for ever. */
const inTime: (
  reading: Fiber.Fiber<void, BodyProblem>,
  reader: BodyReader
) => Effect.Effect<void, BodyProblem | BodyStalled> = Effect.fnUntraced(
  function* (reading, reader) {
    const { requestBodyDeadlineMillis, requestBodyStallMillis } = yield* Settings
    const end = (yield* Clock.currentTimeMillis) + requestBodyDeadlineMillis
    for (let seen = -1; reader.bytes > seen;) {
      seen = reader.bytes
      const left = end - (yield* Clock.currentTimeMillis)
      if (left <= 0) return yield* new BodyStalled({ deadlineMillis: requestBodyDeadlineMillis })
      const waiting = Effect.timeoutOption(
        Fiber.join(reading),
        Math.min(left, requestBodyStallMillis)
      )
      if (Option.isSome(yield* waiting)) return
    }
    return yield* new BodyStalled({ deadlineMillis: requestBodyStallMillis })
  }
)

const streamOf: (
  request: HttpServerRequest.HttpServerRequest,
  limit: BodyLimit
) => Effect.Effect<Arriving, BodyProblem | UnknownCoding> = Effect.fnUntraced(
  function* (request, limit) {
    const inflater = yield* Inflating
    const coding = codingOf(request.headers["content-encoding"])
    if (coding !== undefined && !inflater.codings.includes(coding)) {
      return yield* new UnknownCoding({ coding, known: inflater.codings })
    }
    const declared = Number(request.headers["content-length"] ?? 0)
    if (declared > limit.bytes) return yield* tooLarge(limit.bytes, limit.setting)
    if (isBodiless(request.source)) return Stream.empty
    const body = Stream.mapError(request.stream, () => unreadable)
    return coding === undefined ? body : yield* inflatedStream(inflater, coding, body)
  }
)

/** A web-standard request without a body has no stream. */
const isBodiless = (source: object): boolean => "body" in source && source.body === null

const inflatedStream = (
  { inflate }: Inflater,
  coding: string,
  body: Arriving
): Effect.Effect<Arriving> =>
  Effect.map(Stream.toAsyncIterableEffect(body), (packed) =>
    Stream.fromAsyncIterable(
      inflate(coding, packed),
      () => new InvalidRequest({ path: [], problem: `the body is not valid ${coding}` })
    )
  )

/** Names of codings are of either case; `x-gzip` is `gzip`. Source: RFC 9110, 8.4.1. */
const codingOf = (header: string | undefined): string | undefined => {
  const coding = header?.trim().toLowerCase()
  if (coding === undefined || coding === "" || coding === "identity") return undefined
  return coding === "x-gzip" ? "gzip" : coding
}

/** What a parser of the host read is unpacked already, whatever the header says. */
const ofHost: (value: unknown, limit: BodyLimit) => Effect.Effect<Arriving, BodyProblem> =
  Effect.fnUntraced(function* (value, limit) {
    if (value instanceof Error) return yield* unreadable
    if (value instanceof Uint8Array) return Stream.succeed(value)
    if (isAsyncIterable(value)) {
      return Stream.mapEffect(
        Stream.fromAsyncIterable(value, () => unreadable),
        (chunk) =>
          chunk instanceof Uint8Array
            ? Effect.succeed(chunk)
            : typeof chunk === "string"
              ? Effect.succeed(encoder.encode(chunk))
              : Effect.fail(unreadable)
      )
    }
    const text = typeof value === "string" ? value : yield* written(value, limit)
    // A character takes a byte at least.
    if (text.length > limit.bytes) return yield* tooLarge(limit.bytes, limit.setting)
    yield* ownTurn(text.length)
    return Stream.succeed(encoder.encode(text))
  })

const encoder = new TextEncoder()

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value

/** A value is measured before it is written: its host may have read more than we would. */
const written: (value: unknown, limit: BodyLimit) => Effect.Effect<string, BodyProblem> =
  Effect.fnUntraced(function* (value, limit) {
    const counting = countJson(
      value,
      ({ leastBytes, nodes }) => leastBytes > limit.bytes || nodes > limit.nodes
    )
    let step = counting.next()
    while (step.done !== true) {
      yield* nextTurn
      step = counting.next()
    }
    const { leastBytes, nodes } = step.value
    if (nodes > limit.nodes) return yield* tooManyNodes(limit)
    if (leastBytes > limit.bytes) return yield* tooLarge(limit.bytes, limit.setting)
    yield* ownTurn(leastBytes)
    try {
      return JSON.stringify(value) ?? ""
    } catch {
      return yield* invalid("the body nests too deeply")
    }
  })

const invalid = (problem: string) => new InvalidRequest({ path: [], problem })

const unreadable = invalid("the body could not be read")
