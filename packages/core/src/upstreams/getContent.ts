/** A file of an upstream over HTTP, streamed: asked for once, bounded in waiting, of a harmless type. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Settings, type SettingsShape } from "../Settings.ts"
import { ForeignContent } from "./ForeignContent.ts"
import { isSuccess, refusalOf, sendOnce, untraced } from "./sendOnce.ts"
import { transportFailure } from "./transportFailure.ts"
import { UpstreamFailure } from "./UpstreamFailure.ts"
import { headersOf, type UpstreamRequest } from "./UpstreamRequest.ts"
import type { ByteRange, ContentStretch, VideoContent } from "./VideoContent.ts"

/** A file to fetch from an upstream. */
export interface ContentRequest extends UpstreamRequest {
  /** The stretch that is wanted; absent: all of it. */
  readonly range?: ByteRange | undefined
  /**
   * The upstream's own address, which `url` is compared with when an answer named it: only an address of the
   * same origin is asked directly, and with the key. Absent: `url` is the upstream's own.
   */
  readonly origin?: string | undefined
}

/**
 * Reads the headers, and leaves the bytes to be pulled; the connection is closed with the scope. What is kept
 * at another origin, or behind a redirect, is fetched by `ForeignContent` alone, without key and headers.
 * Fails like `getJson`; a 2xx that is neither video nor audio is an `invalid_answer`.
 */
export const getContent: (
  request: ContentRequest
) => Effect.Effect<VideoContent, UpstreamFailure, HttpClient.HttpClient | Scope.Scope> =
  Effect.fnUntraced(function* (request) {
    const settings = yield* Settings
    const response = yield* respond(request, settings)
    if (!isSuccess(response)) return yield* refusalOf(request, response, settings)
    return yield* contentOf(request, response, settings)
  }, untraced)

type Response = HttpClientResponse.HttpClientResponse

const respond: (
  request: ContentRequest,
  settings: SettingsShape
) => Effect.Effect<Response, UpstreamFailure, HttpClient.HttpClient | Scope.Scope> =
  Effect.fnUntraced(function* (request, settings) {
    const { origin, url } = request
    if (!isOwn(url, origin)) return yield* fromElsewhere(request, url, settings)
    const client = yield* HttpClient.HttpClient
    const headers = { ...headersOf(request), ...rangeHeader(request) }
    const http = HttpClientRequest.get(url, { headers })
    const response = yield* sendOnce(HttpClient.withScope(client), http, settings)
    const { location } = response.headers
    return response.status >= 300 && response.status <= 399 && location !== undefined
      ? yield* fromElsewhere(request, location, settings)
      : response
  })

const fromElsewhere: (
  request: ContentRequest,
  location: string,
  settings: SettingsShape
) => Effect.Effect<Response, UpstreamFailure, Scope.Scope> = Effect.fnUntraced(
  function* (request, location, settings) {
    const client = yield* ForeignContent
    if (client === undefined || !URL.canParse(location, request.url)) {
      return yield* new UpstreamFailure({
        kind: "invalid_answer",
        detail: "the content is not at the upstream itself"
      })
    }
    const { href } = new URL(location, request.url)
    const http = HttpClientRequest.get(href, { headers: rangeHeader(request) })
    return yield* sendOnce(HttpClient.withScope(client), http, settings)
  }
)

const isOwn = (url: string, origin: string | undefined): boolean =>
  origin === undefined ||
  (URL.canParse(url) && URL.canParse(origin) && new URL(url).origin === new URL(origin).origin)

const rangeHeader = ({ range }: ContentRequest): Readonly<Record<string, string>> => {
  if (range === undefined) return {}
  return {
    range: "suffix" in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ""}`
  }
}

const contentOf = (
  { range }: ContentRequest,
  response: Response,
  settings: SettingsShape
): Effect.Effect<VideoContent, UpstreamFailure> => {
  const { headers, status } = response
  const invalid = (detail: string) =>
    Effect.fail(new UpstreamFailure({ kind: "invalid_answer", status, detail }))

  const contentType = mediaType(headers["content-type"])
  if (contentType === undefined) return invalid("the content is no video")
  // What is encoded has other bytes than those a range counts.
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    return invalid("the content is encoded")
  }
  const stretch = status === 206 ? stretchOf(headers["content-range"]) : undefined
  if (status !== 200 && (stretch === undefined || range === undefined)) {
    return invalid("the content is a stretch nobody asked for")
  }
  const declared = Number(headers["content-length"] ?? Number.NaN)
  const length = stretch === undefined ? declared : stretch.last - stretch.first + 1
  if (stretch !== undefined && !Number.isNaN(declared) && declared !== length) {
    return invalid("the content is longer or shorter than its stretch")
  }
  return Effect.succeed({
    contentType,
    bytes: response.stream.pipe(
      Stream.mapError((error) => transportFailure(error, "body")),
      Stream.timeoutOrElse({
        duration: settings.betweenEventsDeadlineMillis,
        orElse: () => Stream.fail(new UpstreamFailure({ kind: "timeout", phase: "body" }))
      })
    ),
    length: Number.isSafeInteger(length) && length >= 0 ? length : undefined,
    stretch,
    takesRanges: status === 206 || headers["accept-ranges"] === "bytes"
  })
}

/** Many servers do not say what the bytes are; a page or a script is refused, whoever names it so. */
const mediaType = (header: string | undefined): string | undefined => {
  const type = header?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (/^(?:video|audio)\/[\w.+-]{1,60}$/.test(type)) return type
  return type === "" || /^(?:application|binary)\/octet-stream$/.test(type)
    ? "video/mp4"
    : undefined
}

const stretchOf = (header: string | undefined): ContentStretch | undefined => {
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
