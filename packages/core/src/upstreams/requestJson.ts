/** One request for JSON to an upstream over HTTP: sent once, bounded in time and size, failures classified. */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { Settings } from "../Settings.ts"
import { encodeJson } from "../values/encodeJson.ts"
import { readText } from "./readText.ts"
import { isSuccess, refusalOf, sendOnce, untraced } from "./sendOnce.ts"
import { UpstreamFailure } from "./UpstreamFailure.ts"
import { headersOf, redactorFor, type UpstreamRequest } from "./UpstreamRequest.ts"

/** A request whose body is JSON. */
export interface JsonRequest extends UpstreamRequest {
  /** Anything `JSON.stringify` takes. */
  readonly body: unknown
}

/** A request whose body is a form. */
export interface FormRequest extends UpstreamRequest {
  /** By the names of the fields, which are data. */
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
export const postJson = (request: JsonRequest): Exchange =>
  Effect.flatMap(writtenBody(request), (body) =>
    exchange(request, HttpClientRequest.post(request.url, { headers: headersOf(request), body }))
  )

/** A large one is written little by little: many requests may go out together. */
export const writtenBody = ({ body }: JsonRequest): Effect.Effect<HttpBody.Uint8Array> =>
  Effect.map(encodeJson(body), (bytes) => HttpBody.uint8Array(bytes, "application/json"))

/** The same with a form (`multipart/form-data`) as the body. */
export const postForm = (request: FormRequest): Exchange => {
  const form = new FormData()
  for (const [name, value] of Object.entries(request.form)) {
    if (typeof value === "string") form.append(name, value)
    else {
      const { bytes, contentType, name: fileName } = value
      form.append(name, new Blob([new Uint8Array(bytes)], { type: contentType }), fileName)
    }
  }
  return exchange(
    request,
    HttpClientRequest.post(request.url, {
      headers: headersOf(request),
      body: HttpBody.formData(form)
    })
  )
}

/** The same for what is only read. */
export const getJson = (request: UpstreamRequest): Exchange =>
  exchange(request, HttpClientRequest.get(request.url, { headers: headersOf(request) }))

/** The same for what is deleted. */
export const deleteJson = (request: UpstreamRequest): Exchange =>
  exchange(request, HttpClientRequest.delete(request.url, { headers: headersOf(request) }))

type Exchange = Effect.Effect<unknown, UpstreamFailure, HttpClient.HttpClient>

const exchange: (request: UpstreamRequest, http: HttpClientRequest.HttpClientRequest) => Exchange =
  Effect.fnUntraced(function* (request, http) {
    const client = yield* HttpClient.HttpClient
    const settings = yield* Settings
    const response = yield* sendOnce(client, http, settings)
    if (!isSuccess(response)) return yield* refusalOf(request, response, settings)
    const text = redactorFor(request).inJson(yield* readText(response, settings))
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
  }, untraced)
