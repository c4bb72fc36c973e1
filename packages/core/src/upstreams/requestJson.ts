/** One request for JSON to an upstream over HTTP: sent once, bounded in time and size, failures classified. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import { Settings } from "../Settings.ts"
import { failureOfResponse } from "./failureOfResponse.ts"
import { type Phase, UpstreamFailure } from "./UpstreamFailure.ts"
import { withoutSecrets } from "./withoutSecrets.ts"

export interface GetRequest {
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly apiKey: Redacted.Redacted | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface JsonRequest extends GetRequest {
  /** Anything `JSON.stringify` takes. */
  readonly body: unknown
}

/**
 * Posts `request` and returns the parsed JSON of a 2xx answer. Everything else is an
 * `UpstreamFailure`. Nothing is retried, redirects are not followed, trace headers are not sent.
 */
export const postJson = (request: JsonRequest): Exchange =>
  exchange(
    request,
    HttpClientRequest.post(request.url, {
      headers: headersOf(request),
      body: HttpBody.text(JSON.stringify(request.body), "application/json")
    })
  )

/** The same for what is only read. */
export const getJson = (request: GetRequest): Exchange =>
  exchange(request, HttpClientRequest.get(request.url, { headers: headersOf(request) }))

type Exchange = Effect.Effect<unknown, UpstreamFailure, HttpClient.HttpClient>

const exchange: (request: GetRequest, http: HttpClientRequest.HttpClientRequest) => Exchange =
  Effect.fnUntraced(
    function* (request, http) {
      const client = yield* HttpClient.HttpClient
      const settings = yield* Settings
      const response = yield* client.execute(http).pipe(
        Effect.mapError((error) => transportFailure(error, "headers")),
        Effect.timeoutOrElse({
          duration: settings.headersDeadlineMillis,
          orElse: () => Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "headers" }))
        })
      )
      const body = yield* readText(response, settings.upstreamBodyLimitBytes).pipe(
        Effect.timeoutOrElse({
          duration: settings.bodyDeadlineMillis,
          orElse: () => Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "body" }))
        }),
        // A status says enough, whatever became of the words after it.
        Effect.catch((failure) => (isSuccess(response) ? Effect.fail(failure) : Effect.succeed("")))
      )
      const text = withoutSecrets(body, secretsOf(request))
      if (!isSuccess(response)) {
        const now = yield* Clock.currentTimeMillis
        return yield* failureOfResponse(response.status, response.headers, text, now)
      }
      try {
        return JSON.parse(text) as unknown
      } catch {
        const detail = text === "" ? "the answer is empty" : "the answer is not JSON"
        return yield* new UpstreamFailure({
          kind: "invalid_answer",
          status: response.status,
          detail
        })
      }
    },
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    (effect) =>
      Effect.withFiber((fiber) =>
        // A span that no tracer exports is only a cost.
        fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer
          ? Effect.provideService(effect, HttpClient.TracerDisabledWhen, () => true)
          : effect
      )
  )

const isSuccess = ({ status }: HttpClientResponse.HttpClientResponse): boolean =>
  status >= 200 && status <= 299

const headersOf = ({ apiKey, headers }: GetRequest): Readonly<Record<string, string>> => ({
  ...headers,
  ...(apiKey === undefined ? undefined : { authorization: `Bearer ${Redacted.value(apiKey)}` })
})

const readText = (
  response: HttpClientResponse.HttpClientResponse,
  limit: number
): Effect.Effect<string, UpstreamFailure> => {
  const declared = Number(response.headers["content-length"] ?? Number.NaN)
  if (declared <= limit) {
    return Effect.mapError(response.text, (error) => transportFailure(error, "body"))
  }
  // Leaving the stream early is what closes the connection; an answer left unread would hold it.
  let size = declared > limit ? declared : 0
  return response.stream.pipe(
    Stream.mapError((error) => transportFailure(error, "body")),
    Stream.mapEffect((chunk) => {
      size += chunk.length
      return size > limit
        ? Effect.fail(
            new UpstreamFailure({
              kind: "invalid_answer",
              status: response.status,
              detail: `the answer is larger than ${limit} bytes`
            })
          )
        : Effect.succeed(chunk)
    }),
    Stream.decodeText(),
    Stream.mkString
  )
}

/** Shorter values are words like any other: a real key has eight characters, a real header secret more. */
const secretsOf = ({ apiKey, headers }: GetRequest): ReadonlyArray<string> => [
  ...(apiKey === undefined ? [] : [Redacted.value(apiKey)].filter(({ length }) => length >= 8)),
  ...Object.values(headers ?? {}).filter(({ length }) => length >= 16)
]

const transportFailure = (
  error: HttpClientError.HttpClientError,
  phase: Phase
): UpstreamFailure => {
  const code = codeOf(error.cause)
  if (code === "UND_ERR_CONNECT_TIMEOUT") {
    return new UpstreamFailure({ kind: "timeout", phase: "connect" })
  }
  return new UpstreamFailure({
    kind: "unreachable",
    phase: code !== undefined && connectCodes.has(code) ? "connect" : phase,
    ...(code === undefined ? undefined : { detail: code })
  })
}

const connectCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_SSL_WRONG_VERSION_NUMBER"
])

/** The code of a Node or undici error; the message is left out, it may name hosts and paths. */
const codeOf = (cause: unknown): string | undefined =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined
