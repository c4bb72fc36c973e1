/** Streams a file of an upstream over HTTP: one request with timeouts, restricted to harmless types. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Settings, type SettingsShape } from "../../../instance/Settings.ts"
import type { Redactor } from "../../secrets/Redactor.ts"
import { ExternalContentClient } from "./ExternalContentClient.ts"
import { failWithResponse, isSuccess, sendOnce, withoutTracing } from "./sendOnce.ts"
import { toTransportFailure } from "../failures/toTransportFailure.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { signRequest } from "./signRequest.ts"
import { getRedactor, toHeaders, type UpstreamRequest } from "./UpstreamRequest.ts"
import type { TransportRequest } from "./UpstreamTransport.ts"
import type { ByteRange, ContentRange, VideoContent } from "../VideoReport.ts"

/** A file to fetch from an upstream. */
export interface ContentRequest extends UpstreamRequest {
  /** The requested byte range; absent: the whole file. */
  readonly range?: ByteRange | undefined
  /**
   * The upstream's own URL, for a `url` that comes from an answer: only a `url` of the same origin is requested
   * directly, and with the key. Absent: `url` is trusted.
   */
  readonly origin?: string | undefined
}

/**
 * Reads the headers and returns the bytes as a stream; the scope closes the connection. Content at another origin, or
 * behind a redirect, is fetched by `ExternalContentClient`, without key and headers. Fails like `postJson`; a 2xx that
 * is neither video nor audio is an `invalid_answer`.
 */
export const getContent: (
  request: ContentRequest
) => Effect.Effect<VideoContent, UpstreamFailure, HttpClient.HttpClient | Scope.Scope> =
  Effect.fnUntraced(function* (request) {
    const settings = yield* Settings
    const { redactor, response } = yield* fetchResponse(request, settings)
    if (!isSuccess(response)) return yield* failWithResponse(redactor, response, settings)
    return yield* toVideoContent(request, response, settings)
  }, withoutTracing)

type Response = HttpClientResponse.HttpClientResponse

interface FetchedResponse {
  readonly response: Response
  readonly redactor: Redactor
}

const fetchResponse: (
  request: ContentRequest,
  settings: SettingsShape
) => Effect.Effect<FetchedResponse, UpstreamFailure, HttpClient.HttpClient | Scope.Scope> =
  Effect.fnUntraced(function* (request, settings) {
    const { origin, url } = request
    if (!isSameOrigin(url, origin)) {
      const response = yield* fetchExternal(request, url, settings)
      return { response, redactor: getRedactor(request) }
    }
    const client = yield* HttpClient.HttpClient
    const headers = { ...toHeaders(request), ...toRangeHeader(request) }
    const unsigned: TransportRequest = { method: "GET", url, headers }
    const { redactor, signed } = yield* signRequest(request, unsigned, settings, yield* Clock.Clock)
    const http = HttpClientRequest.get(url, { headers: signed.headers })
    const response = yield* sendOnce(HttpClient.withScope(client), http, settings)
    const { location } = response.headers
    return response.status >= 300 && response.status <= 399 && location !== undefined
      ? { response: yield* fetchExternal(request, location, settings), redactor }
      : { response, redactor }
  })

const fetchExternal: (
  request: ContentRequest,
  location: string,
  settings: SettingsShape
) => Effect.Effect<Response, UpstreamFailure, Scope.Scope> = Effect.fnUntraced(
  function* (request, location, settings) {
    const client = yield* ExternalContentClient
    if (client === undefined || !URL.canParse(location, request.url)) {
      return yield* new UpstreamFailure({
        kind: "invalid_answer",
        detail: "the content is not at the origin of the upstream"
      })
    }
    const { href } = new URL(location, request.url)
    const http = HttpClientRequest.get(href, { headers: toRangeHeader(request) })
    return yield* sendOnce(HttpClient.withScope(client), http, settings)
  }
)

const isSameOrigin = (url: string, origin: string | undefined): boolean =>
  origin === undefined ||
  (URL.canParse(url) && URL.canParse(origin) && new URL(url).origin === new URL(origin).origin)

const toRangeHeader = ({ range }: ContentRequest): Readonly<Record<string, string>> => {
  if (range === undefined) return {}
  return {
    range: "suffix" in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ""}`
  }
}

const toVideoContent = (
  { range }: ContentRequest,
  response: Response,
  settings: SettingsShape
): Effect.Effect<VideoContent, UpstreamFailure> => {
  const { headers, status } = response
  const invalid = (detail: string) =>
    Effect.fail(new UpstreamFailure({ kind: "invalid_answer", status, detail }))

  const contentType = parseMediaType(headers["content-type"])
  if (contentType === undefined) return invalid("the content is not a video")
  // A range counts bytes of the unencoded content.
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    return invalid("the content is encoded")
  }
  const contentRange = status === 206 ? parseContentRange(headers["content-range"]) : undefined
  if (status !== 200 && (contentRange === undefined || range === undefined)) {
    return invalid("the content is a range that was not requested")
  }
  const declared = Number(headers["content-length"] ?? Number.NaN)
  const length = contentRange === undefined ? declared : contentRange.last - contentRange.first + 1
  if (contentRange !== undefined && !Number.isNaN(declared) && declared !== length) {
    return invalid("the content is longer or shorter than its range")
  }
  return Effect.succeed({
    contentType,
    bytes: response.stream.pipe(
      Stream.mapError((error) => toTransportFailure(error, "body")),
      Stream.timeoutOrElse({
        duration: settings.streamIdleTimeoutMillis,
        orElse: () => Stream.fail(new UpstreamFailure({ kind: "timeout", phase: "body" }))
      })
    ),
    length: Number.isSafeInteger(length) && length >= 0 ? length : undefined,
    contentRange,
    acceptsRanges: status === 206 || headers["accept-ranges"] === "bytes"
  })
}

/** Many servers omit the type, which counts as video; pages and scripts are rejected. */
const parseMediaType = (header: string | undefined): string | undefined => {
  const type = header?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (/^(?:video|audio)\/[\w.+-]{1,60}$/.test(type)) return type
  return type === "" || /^(?:application|binary)\/octet-stream$/.test(type)
    ? "video/mp4"
    : undefined
}

const parseContentRange = (header: string | undefined): ContentRange | undefined => {
  const [, first, last, total] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(header ?? "") ?? []
  if (first === undefined || last === undefined || Number(last) < Number(first)) return undefined
  if (total !== "*" && Number(total) <= Number(last)) return undefined
  return {
    first: Number(first),
    last: Number(last),
    total: total === "*" ? undefined : Number(total)
  }
}
