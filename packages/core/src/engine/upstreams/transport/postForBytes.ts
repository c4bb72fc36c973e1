/** Posts JSON to an upstream and streams the bytes of its answer. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"
import { Settings } from "../../../instance/Settings.ts"
import { isObject } from "../../../values/json/guards.ts"
import { findEmbeddedFailure } from "../failures/findEmbeddedFailure.ts"
import { parseErrorBody } from "../failures/toResponseFailure.ts"
import { toTransportFailure } from "../failures/toTransportFailure.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { encodeBody, type JsonRequest } from "./jsonRequests.ts"
import { readText } from "./readText.ts"
import { failWithResponse, isSuccess, sendOnce, withoutTracing } from "./sendOnce.ts"
import { signRequest } from "./signRequest.ts"
import { toJsonHeaders } from "./UpstreamRequest.ts"

/** An answer of bytes. */
export interface BytesAnswer {
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** In lower case and without parameters; empty: the upstream names none. */
  readonly contentType: string
}

/**
 * The bytes of a 2xx answer that `check` accepts, as they arrive; a body that breaks off fails. Everything else is an
 * `UpstreamFailure`, as with `postJson`. The end of the stream closes the connection. `check` returns why it refuses an answer.
 */
export const postForBytes = (
  request: JsonRequest,
  check: (answer: BytesAnswer) => string | undefined
): Stream.Stream<Uint8Array, UpstreamFailure, HttpClient.HttpClient> =>
  Stream.unwrap(withoutTracing(openBytes(request, check)))

const openBytes = Effect.fnUntraced(function* (
  request: JsonRequest,
  check: (answer: BytesAnswer) => string | undefined
) {
  const settings = yield* Settings
  const client = yield* HttpClient.HttpClient
  const body = yield* encodeBody(request)
  const unsigned = {
    method: "POST" as const,
    url: request.url,
    headers: toJsonHeaders(request),
    body
  }
  const { redactor, signed } = yield* signRequest(request, unsigned, settings, yield* Clock.Clock)
  const bytes = typeof body === "string" ? encoder.encode(body) : body
  const http = HttpClientRequest.post(request.url, { headers: signed.headers }).pipe(
    HttpClientRequest.bodyUint8Array(bytes, "application/json")
  )
  const response = yield* sendOnce(HttpClient.withScope(client), http, settings)
  if (!isSuccess(response)) return yield* failWithResponse(redactor, response, settings)
  const contentType = findMediaType(response)
  const problem = check({ headers: response.headers, contentType })
  if (problem === undefined) {
    return Stream.mapError(response.stream, (error) => toTransportFailure(error, "body"))
  }
  // Some servers report errors with a success status.
  const text =
    contentType === "application/json"
      ? yield* Effect.orElseSucceed(readText(response, settings), () => "")
      : ""
  return yield* (
    findFailureInText(redactor.redactJson(text)) ??
      new UpstreamFailure({ kind: "invalid_answer", status: response.status, detail: problem })
  )
})

const findFailureInText = (text: string): UpstreamFailure | undefined => {
  const json = parseErrorBody(text)
  return isObject(json) ? findEmbeddedFailure(json) : undefined
}

const encoder = new TextEncoder()

const findMediaType = ({ headers }: HttpClientResponse.HttpClientResponse): string =>
  headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
