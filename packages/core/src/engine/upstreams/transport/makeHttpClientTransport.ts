/** Sends requests to upstreams with Effect's `HttpClient`, for platforms without a transport of their own. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Settings } from "../../../instance/Settings.ts"
import { toTraceparent } from "../../observability/tracing/traceContext.ts"
import { redactDefects } from "../../secrets/redact.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { toTransportFailure } from "../failures/toTransportFailure.ts"
import type { TransportListener, TransportRequest, UpstreamTransport } from "./UpstreamTransport.ts"
import { type ConnectionWait, CurrentConnectionWait, withoutTracing } from "./sendOnce.ts"

/** Each request is a fiber in `context`, which may hold services of the client and the parent of its span. */
export const makeHttpClientTransport = (
  client: HttpClient.HttpClient,
  context: Context.Context<never>
): UpstreamTransport => ({
  send: (request, listener) => {
    const fiber = Effect.runForkWith(Context.add(context, CurrentConnectionWait, toWait(listener)))(
      Effect.yieldNow.pipe(
        Effect.andThen(
          receive(HttpClient.withScope(client), addTraceparent(request, context), listener)
        ),
        Effect.scoped,
        Effect.catchCause(toFailure),
        Effect.match({
          onSuccess: () => listener.onEnd(),
          onFailure: (failure) => listener.onFailure(failure)
        })
      )
    )
    return () => fiber.interruptUnsafe()
  }
})

/** The client reports its waits to the listener, which reports them to the attempt. */
const toWait = (listener: TransportListener): ConnectionWait => ({
  onQueued: () => listener.onQueued?.(),
  onDequeued: () => listener.onDequeued?.(),
  getQueuedMillis: () => 0
})

/**
 * The attempt's span continues at the provider. Nothing of a caller is passed on but ids of the trace: neither `tracestate`
 * nor `baggage` (https://www.w3.org/TR/trace-context-2/#privacy-considerations).
 */
const addTraceparent = (
  request: TransportRequest,
  context: Context.Context<never>
): TransportRequest => {
  const span = Option.getOrUndefined(Context.getOption(context, Tracer.ParentSpan))
  const isTraced = Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer
  return isTraced && span?._tag === "Span" && Context.get(context, Settings).sendTraceparent
    ? { ...request, headers: { ...request.headers, traceparent: toTraceparent(span) } }
    : request
}

/** A host may bring a client with a defect. An aborted request is interrupted, and ends without a failure. */
const toFailure = (cause: Cause.Cause<UpstreamFailure>): Effect.Effect<never, UpstreamFailure> => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  if (failure !== undefined) return Effect.fail(failure)
  return Effect.andThen(
    Effect.logError("the HTTP client has a defect", redactDefects(cause)),
    Effect.fail(new UpstreamFailure({ kind: "defect", detail: "the HTTP client has a defect" }))
  )
}

const receive = (
  client: ReturnType<typeof HttpClient.withScope<HttpClientError.HttpClientError, never>>,
  request: TransportRequest,
  listener: TransportListener
) =>
  withoutTracing(client.execute(toHttpRequest(request))).pipe(
    Effect.mapError((error) => toTransportFailure(error, "headers")),
    Effect.flatMap((response) => deliver(response, listener))
  )

const toHttpRequest = ({ body, headers, method, url }: TransportRequest) => {
  const request = HttpClientRequest.make(method)(url, { headers })
  if (body === undefined) return request
  if (body instanceof FormData) return HttpClientRequest.bodyFormData(request, body)
  const contentType = headers["content-type"]
  return typeof body === "string"
    ? HttpClientRequest.bodyText(request, body, contentType)
    : HttpClientRequest.bodyUint8Array(request, body, contentType)
}

const deliver = (
  response: HttpClientResponse.HttpClientResponse,
  listener: TransportListener
): Effect.Effect<void, UpstreamFailure> =>
  Effect.suspend(() => {
    let isPaused = false
    let resumeReading: (() => void) | undefined
    const resumed = Effect.callback<void>((resume) => {
      if (!isPaused) return resume(Effect.void)
      resumeReading = () => resume(Effect.void)
    })
    listener.onResponse(response.status, response.headers, {
      pause: () => {
        isPaused = true
      },
      resume: () => {
        isPaused = false
        resumeReading?.()
        resumeReading = undefined
      }
    })
    const deliverFrom = (chunks: ReadonlyArray<Uint8Array>, start: number): Effect.Effect<void> => {
      for (let i = start; i < chunks.length; i++) {
        if (isPaused) return Effect.flatMap(resumed, () => deliverFrom(chunks, i))
        const chunk = chunks[i]
        if (chunk !== undefined && chunk.length > 0) listener.onData(chunk)
      }
      return isPaused ? resumed : Effect.void
    }
    return deliverFrom([], 0).pipe(
      Effect.andThen(Stream.runForEachArray(response.stream, (chunks) => deliverFrom(chunks, 0))),
      Effect.catchIf(isEmptyBody, () => Effect.void),
      Effect.mapError((error) => toTransportFailure(error, "body"))
    )
  })

/** Some clients have no stream of an answer without a body, such as a 204. */
const isEmptyBody = ({ reason }: HttpClientError.HttpClientError): boolean =>
  reason._tag === "EmptyBodyError"

/** Makes `client` send the requests of upstreams by `transport`; other users of the client are not affected. */
export const setClientTransport = (
  client: HttpClient.HttpClient,
  transport: UpstreamTransport
): void => void transports.set(client, transport)

const transports = new WeakMap<HttpClient.HttpClient, UpstreamTransport>()

/**
 * The transport of the `HttpClient` in a context. A client of another platform, a client that a host has transformed,
 * and a client whose spans a tracer exports send requests themselves.
 */
export const getTransport = (
  context: Context.Context<never>,
  tracer: Tracer.Tracer
): UpstreamTransport => {
  const client = Context.getUnsafe(context, HttpClient.HttpClient)
  const transport = tracer === Tracer.nativeTracer ? transports.get(client) : undefined
  return transport ?? makeHttpClientTransport(client, context)
}
