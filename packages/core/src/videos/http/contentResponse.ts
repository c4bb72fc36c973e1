/** A file as it leaves: streamed, whole or a stretch of it. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { VideoContent } from "../../upstreams/VideoContent.ts"

/** What a browser gets is shown as what it is, and kept by nobody on the way. */
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
      "cache-control": "private",
      "x-content-type-options": "nosniff",
      ...(contentRange === undefined
        ? undefined
        : {
            "content-range": `bytes ${contentRange.first}-${contentRange.last}/${contentRange.total ?? "*"}`
          })
    }
  })
