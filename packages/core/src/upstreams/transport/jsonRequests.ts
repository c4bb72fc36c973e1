/** Sends one request for JSON to an upstream, bounded in time and size, and classifies failures. */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { Settings } from "../../Settings.ts"
import { encodeJson } from "../../values/json/encodeJson.ts"
import { readText } from "./readText.ts"
import { isSuccess, failWithResponse, sendOnce } from "./sendOnce.ts"
import { withoutTracing } from "./withoutTracing.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { toHeaders, getRedactor, type UpstreamRequest } from "./UpstreamRequest.ts"

/** A request whose body is JSON. */
export interface JsonRequest extends UpstreamRequest {
  /** Anything that `JSON.stringify` accepts. */
  readonly body: unknown
}

/** A request whose body is a form. */
export interface FormRequest extends UpstreamRequest {
  /** Values by the names of their fields. */
  readonly form: Readonly<Record<string, string | FormFile>>
}

/** A file of a form. */
export interface FormFile {
  readonly name: string
  /** Such as `image/png`. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

/**
 * Posts `request` and returns the parsed JSON of a 2xx answer. Everything else is an
 * `UpstreamFailure`. Nothing is retried, redirects are not followed, trace headers are not sent.
 */
export const postJson = (request: JsonRequest): JsonExchange =>
  Effect.flatMap(encodeBody(request), (body) =>
    sendForJson(request, HttpClientRequest.post(request.url, { headers: toHeaders(request), body }))
  )

/** Large bodies are serialized in steps, so that they do not block the event loop. */
export const encodeBody = ({ body }: JsonRequest): Effect.Effect<HttpBody.Uint8Array> =>
  Effect.map(encodeJson(body), (bytes) => HttpBody.uint8Array(bytes, "application/json"))

/** Like `postJson`, with a form (`multipart/form-data`) as the body. */
export const postForm = (request: FormRequest): JsonExchange => {
  const form = new FormData()
  for (const [name, value] of Object.entries(request.form)) {
    if (typeof value === "string") form.append(name, value)
    else {
      const { bytes, contentType, name: fileName } = value
      form.append(name, new Blob([new Uint8Array(bytes)], { type: contentType }), fileName)
    }
  }
  return sendForJson(
    request,
    HttpClientRequest.post(request.url, {
      headers: toHeaders(request),
      body: HttpBody.formData(form)
    })
  )
}

/** Like `postJson`, with GET. */
export const getJson = (request: UpstreamRequest): JsonExchange =>
  sendForJson(request, HttpClientRequest.get(request.url, { headers: toHeaders(request) }))

/** Like `postJson`, with DELETE. */
export const deleteJson = (request: UpstreamRequest): JsonExchange =>
  sendForJson(request, HttpClientRequest.delete(request.url, { headers: toHeaders(request) }))

type JsonExchange = Effect.Effect<unknown, UpstreamFailure, HttpClient.HttpClient>

const sendForJson: (
  request: UpstreamRequest,
  http: HttpClientRequest.HttpClientRequest
) => JsonExchange = Effect.fnUntraced(function* (request, http) {
  const client = yield* HttpClient.HttpClient
  const settings = yield* Settings
  const response = yield* sendOnce(client, http, settings)
  if (!isSuccess(response)) return yield* failWithResponse(request, response, settings)
  const text = getRedactor(request).redactJson(yield* readText(response, settings))
  try {
    return JSON.parse(text) as unknown
  } catch {
    const detail = text === "" ? "the answer is empty" : "the answer is not JSON"
    return yield* new UpstreamFailure({ kind: "invalid_answer", status: response.status, detail })
  }
}, withoutTracing)
