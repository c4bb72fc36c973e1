/** One request for a stream of events to an upstream over HTTP: sent once, failures classified, closed with its scope. */
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
import type { Redactor } from "../secrets/Redactor.ts"
import { sifting } from "../secrets/sifting.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import { isDeeperThan } from "../values/jsonDepth.ts"
import { failureInside } from "./failureInside.ts"
import { isObject } from "./isObject.ts"
import { readText } from "./readText.ts"
import { type JsonRequest, writtenBody } from "./requestJson.ts"
import { isSuccess, refusalOf, sendOnce, untraced } from "./sendOnce.ts"
import { transportFailure } from "./transportFailure.ts"
import { UpstreamFailure } from "./UpstreamFailure.ts"
import { headersOf, redactorFor } from "./UpstreamRequest.ts"

/** Makes of the events of one stream what they say; called for one after the other. */
export interface EventReader<A> {
  /**
   * What the JSON of an event says; undefined: nothing. A failure is the last thing that is read, and an
   * `error` in it is taken care of.
   */
  readonly read: (json: Readonly<Record<string, unknown>>) => A | UpstreamFailure | undefined
  /** What `[DONE]` says, after which nothing is read. */
  readonly done: () => A | UpstreamFailure | undefined
}

/** A request that is answered with server-sent events. */
export interface EventsRequest<A> extends JsonRequest {
  /** Made for each time the request is sent. */
  readonly reader: () => EventReader<A>
}

/**
 * Posts `request` and reads the events of a 2xx answer as they come, each one JSON, in as large chunks as they
 * arrive in. A stream that the upstream breaks off in order ends without what `[DONE]` says. Fails like
 * `postJson`; an `error` in an event, an event that is no JSON, larger than `upstreamBodyLimitBytes` or
 * deeper than `maxJsonDepth`, a stream of more than `streamLimitBytes`, and an answer that is no stream are failures too. There is no deadline for events: openers keep those. Read to its
 * end it leaves a connection that can be used again.
 */
export const postEvents = <A>(
  request: EventsRequest<A>
): Stream.Stream<A, UpstreamFailure, HttpClient.HttpClient> => Stream.unwrap(open(request))

const open: <A>(
  request: EventsRequest<A>
) => Effect.Effect<
  Stream.Stream<A, UpstreamFailure>,
  UpstreamFailure,
  HttpClient.HttpClient | Scope.Scope
> = Effect.fnUntraced(function* <A>(request: EventsRequest<A>) {
  const client = yield* HttpClient.HttpClient
  const settings = yield* Settings
  const http = HttpClientRequest.post(request.url, {
    headers: { accept: "text/event-stream", ...headersOf(request) },
    body: yield* writtenBody(request)
  })
  const response = yield* sendOnce(HttpClient.withScope(client), http, settings)
  if (!isSuccess(response)) return yield* refusalOf(request, response, settings)
  if (!isEventStream(response)) return yield* noStream(request, response, settings)
  return eventsOf(request, response, settings)
}, untraced)

const isEventStream = ({ headers }: HttpClientResponse.HttpClientResponse): boolean =>
  /^\s*text\/event-stream\s*(?:;|$)/i.test(headers["content-type"] ?? "")

/** Fails with what an answer says instead of a stream. */
const noStream: (
  request: JsonRequest,
  response: HttpClientResponse.HttpClientResponse,
  settings: SettingsShape
) => Effect.Effect<never, UpstreamFailure> = Effect.fnUntraced(
  function* (request, response, settings) {
    const text = redactorFor(request).inJson(yield* readText(response, settings))
    return yield* (
      errorInText(text) ??
        new UpstreamFailure({
          kind: "invalid_answer",
          status: response.status,
          detail: "the answer is no stream of events"
        })
    )
  }
)

const errorInText = (text: string): UpstreamFailure | undefined => {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? failureInside(json) : undefined
  } catch {
    return undefined
  }
}

const eventsOf = <A>(
  request: EventsRequest<A>,
  response: HttpClientResponse.HttpClientResponse,
  settings: SettingsShape
): Stream.Stream<A, UpstreamFailure> =>
  Stream.transformPull(
    Stream.mapError(response.stream, (error) => transportFailure(error, "body")),
    (pull) => Effect.sync(() => reading(pull, request.reader(), redactorFor(request), settings))
  )

/** Works on whatever arrives together at once: an effect for each event would cost more than the event. */
const reading = <A>(
  pull: Pull.Pull<Arr.NonEmptyReadonlyArray<Uint8Array>, UpstreamFailure>,
  reader: EventReader<A>,
  redactor: Redactor,
  { maxJsonDepth, streamLimitBytes, upstreamBodyLimitBytes: maxEventSize }: SettingsShape
): Pull.Pull<Arr.NonEmptyReadonlyArray<A>, UpstreamFailure> => {
  let said: Array<A> = []
  let failure: UpstreamFailure | undefined
  let done = false
  let ended = false

  let received = 0
  const sieve = sifting<Json>(redactor)

  const say = (saying: A | UpstreamFailure | undefined): void => {
    if (saying instanceof UpstreamFailure) failure = saying
    else if (saying !== undefined) said.push(saying)
  }
  const read = (events: ReadonlyArray<Json>): void => {
    for (const json of events) if (failure === undefined) say(reader.read(json))
  }
  /** Behind what waits in the sieve: nothing that follows could go on with it. */
  const end = (saying: () => A | UpstreamFailure | undefined): void => {
    read(sieve.rest())
    if (failure === undefined) say(saying())
  }
  const take = (data: string, name: string): void => {
    // A half event at the end is none; only this word needs no more to be whole.
    if (failure !== undefined || done || (ended && data !== "[DONE]")) return
    done = data === "[DONE]"
    if (done) return end(reader.done)
    const json = eventIn(redactor.inJson(data), name, maxJsonDepth)
    if (json instanceof UpstreamFailure) return end(() => json)
    read(sieve.push(json, data.length))
    if (sieve.isOverfull()) return end(() => invalid("an answer has too many parts at once"))
    // A failure is told by its reader, who may know what was used.
    if (failureInside(json) !== undefined) end(constUndefined)
  }
  const parser = Sse.makeParser(
    (event) => {
      if (event._tag === "Event") take(event.data, event.event)
    },
    { maxEventSize }
  )
  const decoder = new TextDecoder()
  const feed = (chunks: Arr.NonEmptyReadonlyArray<Uint8Array>): void => {
    for (const chunk of chunks) {
      received += chunk.length
      if (received > streamLimitBytes) {
        end(() => invalid(`the stream is larger than ${streamLimitBytes} bytes`))
        return
      }
      if (parser.feed(decoder.decode(chunk, { stream: true })) === undefined) continue
      end(() => invalid(`an event is larger than ${maxEventSize} bytes`))
      return
    }
  }
  const arrive = Effect.map(pull, feed).pipe(
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
    if (Arr.isArrayNonEmpty(said)) {
      const chunk = said
      said = []
      return Effect.succeed(chunk)
    }
    if (failure !== undefined) return Effect.fail(failure)
    if (ended) return Cause.done()
    return done ? drained(pull) : Effect.flatMap(arrive, () => next)
  })
  return next
}

type Json = Readonly<Record<string, unknown>>

const eventIn = (data: string, name: string, maxJsonDepth: number): Json | UpstreamFailure => {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch {
    return invalid("an event is not JSON")
  }
  if (!isObject(json)) return invalid("an event is no JSON object")
  // What is written in few characters is not deep, and most events are.
  if (data.length > 2 * maxJsonDepth && isDeeperThan(json, maxJsonDepth)) {
    return invalid(`an event nests deeper than ${maxJsonDepth} levels`)
  }
  // Some name the event instead of the field.
  const named = name === "error" && !Object.hasOwn(json, "error") ? { error: json } : undefined
  return (named && failureInside(named)) ?? json
}

const invalid = (detail: string) => new UpstreamFailure({ kind: "invalid_answer", detail })

/** The answer's own end, which mostly is there already: a connection left before it is lost. */
const drained = (pull: Pull.Pull<unknown, UpstreamFailure>): Pull.Pull<never> =>
  Effect.forever(pull).pipe(
    Effect.timeoutOption(drainMillis),
    Effect.ignore,
    Effect.andThen(Cause.done())
  )

const drainMillis = 1_000
