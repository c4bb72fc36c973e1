/** Sends one HTTP request to an upstream and waits for the headers of its response, without retries or redirects. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { Redactor } from "../../secrets/Redactor.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import { toResponseFailure } from "../failures/toResponseFailure.ts"
import { readText } from "./readText.ts"
import { toTransportFailure } from "../failures/toTransportFailure.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"

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
