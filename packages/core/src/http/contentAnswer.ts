/** A file as it leaves: streamed, whole or a stretch of it. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { VideoContent } from "../upstreams/VideoContent.ts"

/** What a browser gets is shown as what it is, and kept by nobody on the way. */
export const contentAnswer = ({
  bytes,
  contentType,
  length,
  stretch,
  takesRanges
}: VideoContent<unknown>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(bytes, {
    status: stretch === undefined ? 200 : 206,
    contentType,
    ...(length === undefined ? undefined : { contentLength: length }),
    headers: {
      "accept-ranges": takesRanges ? "bytes" : "none",
      "cache-control": "private",
      "x-content-type-options": "nosniff",
      ...(stretch === undefined
        ? undefined
        : { "content-range": `bytes ${stretch.first}-${stretch.last}/${stretch.total ?? "*"}` })
    }
  })
