/** Sends one HTTP request to an upstream and waits for the headers of its response, without retries or redirects. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { SettingsShape } from "../../../instance/Settings.ts"
import type { Redactor } from "../../secrets/Redactor.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { toResponseFailure } from "../failures/toResponseFailure.ts"
import { toTransportFailure } from "../failures/toTransportFailure.ts"
import { readText } from "./readText.ts"

export const sendOnce = <R>(
  client: HttpClient.HttpClient.With<HttpClientError, R>,
  http: HttpClientRequest.HttpClientRequest,
  settings: SettingsShape
): Effect.Effect<HttpClientResponse.HttpClientResponse, UpstreamFailure, R> =>
  client.execute(http).pipe(
    Effect.mapError((error) => toTransportFailure(error, "headers")),
    Effect.timeoutOrElse({
      duration: settings.headersTimeoutMillis,
      orElse: () => Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "headers" }))
    })
  )

export const isSuccess = ({ status }: HttpClientResponse.HttpClientResponse): boolean =>
  status >= 200 && status <= 299

/** Fails with the classified error of a response. */
export const failWithResponse: (
  redactor: Redactor,
  response: HttpClientResponse.HttpClientResponse,
  settings: SettingsShape
) => Effect.Effect<never, UpstreamFailure> = Effect.fnUntraced(
  function* (redactor, response, settings) {
    // The status is enough when the body cannot be read.
    const body = yield* Effect.orElseSucceed(readText(response, settings), () => "")
    const text = redactor.redactJson(body)
    const now = yield* Clock.currentTimeMillis
    return yield* toResponseFailure(response.status, response.headers, text, now)
  }
)

/** Hears of requests that wait because every connection to their server is in use. Not called for one that is sent at once. */
export interface ConnectionWait {
  /** A request waits. */
  readonly onQueued: () => void
  /** Called when that request is sent, or has ended without having been sent. */
  readonly onDequeued: () => void
  /** How long requests have waited so far, in milliseconds; those that waited side by side count once. */
  readonly getQueuedMillis: () => number
}

/** The wait of the running attempt; undefined outside of attempts. Looked up only when a request waits. */
export const CurrentConnectionWait = Context.Reference<ConnectionWait | undefined>(
  "@signalbox/core/engine/upstreams/transport/CurrentConnectionWait",
  { defaultValue: () => undefined }
)

/** Sends no trace headers of the client, and creates no span unless a tracer exports it. */
export const withoutTracing = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const local = Effect.provideService(effect, HttpClient.TracerPropagationEnabled, false)
    return fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
      ? Effect.provideService(local, HttpClient.TracerDisabledWhen, () => true)
      : local
  })
