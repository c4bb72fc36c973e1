/** Renders a video file as a streamed response, whole or one byte range. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { VideoContent } from "../../engine/upstreams/VideoContent.ts"

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
