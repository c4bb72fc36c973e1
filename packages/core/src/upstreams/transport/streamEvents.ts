/** Sends one request for server-sent events to an upstream, and classifies failures. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Sse from "effect/encoding/Sse"
import { constUndefined } from "effect/Function"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Pull from "effect/Pull"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Redactor } from "../../secrets/Redactor.ts"
import { makeStreamRedactor } from "../../secrets/StreamRedactor.ts"
import { Settings, type SettingsShape } from "../../Settings.ts"
import { isDeeperThan } from "../../values/json/isDeeperThan.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { isObject } from "../../values/json/isObject.ts"
import { readText } from "./readText.ts"
import { toHttpBody } from "./makeHttpClientTransport.ts"
import { type JsonRequest, encodeBody } from "./jsonRequests.ts"
import { isSuccess, failWithResponse, sendOnce } from "./sendOnce.ts"
import { withoutTracing } from "./withoutTracing.ts"
import { toTransportFailure } from "../failures/toTransportFailure.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { toHeaders, getRedactor } from "./UpstreamRequest.ts"

/** Reads the events of one stream, in order. */
export interface EventReader<A> {
  /**
   * Converts the JSON of an event; undefined: the event is skipped. A failure ends the stream. An event with an
   * `error` fails the stream even if this returns none.
   */
  readonly read: (json: Readonly<Record<string, unknown>>) => A | UpstreamFailure | undefined
  /** Called for `[DONE]`, after which nothing is read. */
  readonly done: () => A | UpstreamFailure | undefined
}

/** A request for server-sent events. */
export interface EventStreamRequest<A> extends JsonRequest {
  /** Creates the reader of one response. */
  readonly reader: () => EventReader<A>
}

/**
 * Posts `request` and streams the events of a 2xx response, each of them JSON. A stream that ends without `[DONE]`
 * ends normally, without the result of `done`. Fails like `postJson`, and for an `error` in an event, an event that is
 * not JSON, larger than `maxUpstreamBodyBytes` or deeper than `maxJsonDepth`, a stream larger than `maxStreamBytes`,
 * and a response that is not a stream. The router enforces the timeouts between events. A stream that is read to its
 * end leaves a reusable connection.
 */
export const streamEvents = <A>(
  request: EventStreamRequest<A>
): Stream.Stream<A, UpstreamFailure, HttpClient.HttpClient> =>
  Stream.unwrap(openEventStream(request))

const openEventStream: <A>(
  request: EventStreamRequest<A>
) => Effect.Effect<
  Stream.Stream<A, UpstreamFailure>,
  UpstreamFailure,
  HttpClient.HttpClient | Scope.Scope
> = Effect.fnUntraced(function* <A>(request: EventStreamRequest<A>) {
  const client = yield* HttpClient.HttpClient
  const settings = yield* Settings
  const http = HttpClientRequest.post(request.url, {
    headers: { accept: "text/event-stream", ...toHeaders(request) },
    body: toHttpBody(yield* encodeBody(request), "application/json")
  })
  const response = yield* sendOnce(HttpClient.withScope(client), http, settings)
  if (!isSuccess(response)) return yield* failWithResponse(request, response, settings)
  if (!isEventStream(response)) return yield* failNotEventStream(request, response, settings)
  return readEvents(request, response, settings)
}, withoutTracing)

const isEventStream = ({ headers }: HttpClientResponse.HttpClientResponse): boolean =>
  /^\s*text\/event-stream\s*(?:;|$)/i.test(headers["content-type"] ?? "")

/** Fails with the error in a response that is not a stream. */
const failNotEventStream: (
  request: JsonRequest,
  response: HttpClientResponse.HttpClientResponse,
  settings: SettingsShape
) => Effect.Effect<never, UpstreamFailure> = Effect.fnUntraced(
  function* (request, response, settings) {
    const text = getRedactor(request).redactJson(yield* readText(response, settings))
    return yield* (
      findFailureInText(text) ??
        new UpstreamFailure({
          kind: "invalid_answer",
          status: response.status,
          detail: "the answer is not a stream of events"
        })
    )
  }
)

const findFailureInText = (text: string): UpstreamFailure | undefined => {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? findEmbeddedFailure(json) : undefined
  } catch {
    return undefined
  }
}

const readEvents = <A>(
  request: EventStreamRequest<A>,
  response: HttpClientResponse.HttpClientResponse,
  settings: SettingsShape
): Stream.Stream<A, UpstreamFailure> =>
  Stream.transformPull(
    Stream.mapError(response.stream, (error) => toTransportFailure(error, "body")),
    (pull) =>
      Effect.sync(() => makeEventPull(pull, request.reader(), getRedactor(request), settings))
  )

/** Handles all events of a chunk at once, because an effect for each event would cost more than the event. */
const makeEventPull = <A>(
  pull: Pull.Pull<Arr.NonEmptyReadonlyArray<Uint8Array>, UpstreamFailure>,
  reader: EventReader<A>,
  redactor: Redactor,
  { maxJsonDepth, maxStreamBytes, maxUpstreamBodyBytes: maxEventSize }: SettingsShape
): Pull.Pull<Arr.NonEmptyReadonlyArray<A>, UpstreamFailure> => {
  let pendingItems: Array<A> = []
  let failure: UpstreamFailure | undefined
  let done = false
  let ended = false

  let received = 0
  const streamRedactor = makeStreamRedactor<Json>(redactor)

  const emit = (item: A | UpstreamFailure | undefined): void => {
    if (item instanceof UpstreamFailure) failure = item
    else if (item !== undefined) pendingItems.push(item)
  }
  const read = (events: ReadonlyArray<Json>): void => {
    for (const json of events) if (failure === undefined) emit(reader.read(json))
  }
  /** Flushes the events that the redactor holds back, then ends the stream. */
  const end = (saying: () => A | UpstreamFailure | undefined): void => {
    read(streamRedactor.flush())
    if (failure === undefined) emit(saying())
  }
  const handleEvent = (data: string, name: string): void => {
    // An incomplete event at the end is dropped, except `[DONE]`.
    if (failure !== undefined || done || (ended && data !== "[DONE]")) return
    done = data === "[DONE]"
    if (done) return end(reader.done)
    const json = parseEvent(redactor.redactJson(data), name, maxJsonDepth)
    if (json instanceof UpstreamFailure) return end(() => json)
    read(streamRedactor.push(json, data.length))
    if (streamRedactor.hasOverflowed())
      return end(() => toInvalidAnswer("an answer has too many parts at once"))
    // The reader has converted the error, because it may know the usage.
    if (findEmbeddedFailure(json) !== undefined) end(constUndefined)
  }
  const parser = Sse.makeParser(
    (event) => {
      if (event._tag === "Event") handleEvent(event.data, event.event)
    },
    { maxEventSize }
  )
  const decoder = new TextDecoder()
  const feed = (chunks: Arr.NonEmptyReadonlyArray<Uint8Array>): void => {
    for (const chunk of chunks) {
      received += chunk.length
      if (received > maxStreamBytes) {
        end(() => toInvalidAnswer(`the stream is larger than ${maxStreamBytes} bytes`))
        return
      }
      if (parser.feed(decoder.decode(chunk, { stream: true })) === undefined) continue
      end(() => toInvalidAnswer(`an event is larger than ${maxEventSize} bytes`))
      return
    }
  }
  const receive = Effect.map(pull, feed).pipe(
    Pull.catchDone(() =>
      Effect.sync(() => {
        ended = true
        parser.feed("\n\n")
        end(constUndefined)
      })
    ),
    Effect.catchTag("UpstreamFailure", (torn) => Effect.sync(() => end(() => torn)))
  )
  const next: Pull.Pull<Arr.NonEmptyReadonlyArray<A>, UpstreamFailure> = Effect.suspend(() => {
    if (Arr.isArrayNonEmpty(pendingItems)) {
      const chunk = pendingItems
      pendingItems = []
      return Effect.succeed(chunk)
    }
    if (failure !== undefined) return Effect.fail(failure)
    if (ended) return Cause.done()
    return done ? drain(pull) : Effect.flatMap(receive, () => next)
  })
  return next
}

type Json = Readonly<Record<string, unknown>>

const parseEvent = (data: string, name: string, maxJsonDepth: number): Json | UpstreamFailure => {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch {
    return toInvalidAnswer("an event is not JSON")
  }
  if (!isObject(json)) return toInvalidAnswer("an event is not a JSON object")
  // Most events are too short to be deep.
  if (data.length > 2 * maxJsonDepth && isDeeperThan(json, maxJsonDepth)) {
    return toInvalidAnswer(`an event nests deeper than ${maxJsonDepth} levels`)
  }
  // Some providers name the event "error" instead of using the field.
  const errorEvent = name === "error" && !Object.hasOwn(json, "error") ? { error: json } : undefined
  return (errorEvent && findEmbeddedFailure(errorEvent)) ?? json
}

const toInvalidAnswer = (detail: string) => new UpstreamFailure({ kind: "invalid_answer", detail })

/** Reads to the end of the response, which has usually arrived already, so that its connection can be reused. */
const drain = (pull: Pull.Pull<unknown, UpstreamFailure>): Pull.Pull<never> =>
  Effect.forever(pull).pipe(
    Effect.timeoutOption(drainMillis),
    Effect.ignore,
    Effect.andThen(Cause.done())
  )

const drainMillis = 1_000
