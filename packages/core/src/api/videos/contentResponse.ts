/** Renders a video file as a streamed response, whole or one byte range. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ByteRange, VideoContent } from "../../engine/upstreams/VideoReport.ts"

/**
 * Browsers must not sniff the content type, shared caches must not store the file, and compression would make byte ranges
 * and the length wrong.
 */
export const contentResponse = ({
  bytes,
  contentType,
  length,
  contentRange,
  acceptsRanges
}: VideoContent<unknown>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(bytes, {
    status: contentRange === undefined ? 200 : 206,
    contentType,
    ...(length === undefined ? undefined : { contentLength: length }),
    headers: {
      "accept-ranges": acceptsRanges ? "bytes" : "none",
      "cache-control": "private, no-transform",
      "x-content-type-options": "nosniff",
      ...(contentRange === undefined
        ? undefined
        : {
            "content-range": `bytes ${contentRange.first}-${contentRange.last}/${contentRange.total ?? "*"}`
          })
    }
  })

/**
 * Undefined means the whole file. Several ranges, an invalid range and a range of a `HEAD` request are ignored.
 * A range with `If-Range` is ignored too, because responses carry no validator that it could match.
 */
export const parseByteRange = ({
  headers,
  method
}: {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly method: string
}): ByteRange | undefined => {
  if (method !== "GET" || headers["if-range"] !== undefined) return undefined
  const [, first = "", last = ""] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers["range"]?.trim() ?? "") ?? []
  if (first === "") return last === "" ? undefined : { suffix: Number(last) }
  if (last === "") return { first: Number(first) }
  return Number(last) < Number(first) ? undefined : { first: Number(first), last: Number(last) }
}
