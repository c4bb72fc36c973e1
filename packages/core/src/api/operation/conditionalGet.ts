/** Conditional GET: a client that sends back a strong ETag gets 304 without a body. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { RequestHeaders } from "../body/BodyRequest.ts"

/** An encoded body with its ETag, which can be sent many times. */
export class Entity {
  readonly body: Uint8Array
  readonly contentType: string
  readonly etag: string

  constructor(body: Uint8Array, contentType: string, etag: string) {
    this.body = body
    this.contentType = contentType
    this.etag = etag
  }
}

/** 304 for a client with the same entity (RFC 9110, section 13.1.2), otherwise the body. */
export const conditionalGet = (
  { body, contentType, etag }: Entity,
  requestHeaders: RequestHeaders
): HttpServerResponse.HttpServerResponse => {
  const headers = {
    etag,
    // The response depends on the caller, and caches must revalidate it.
    "cache-control": "private, no-cache"
  }
  return hasEtag(requestHeaders["if-none-match"], etag)
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(body, { contentType, headers })
}

/** Weak comparison, as RFC 9110 requires for this header. */
const hasEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" ||
    ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag))
