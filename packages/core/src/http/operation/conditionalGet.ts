/** Answers that a client may keep: with a strong validator, and without a body when it has the same already. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import type * as Headers from "effect/http/Headers"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** A body with its validator, ready to be sent again and again. */
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

const encoder = new TextEncoder()

/** `etagSource` is what the body follows from, where that is less to hash: another body, another source. */
export const toEntity = (
  body: Uint8Array,
  contentType: string,
  etagSource = body
): Effect.Effect<Entity, never, Digest.Digest> =>
  Effect.map(
    Effect.flatMap(Digest.Digest, (digest) => digest.digest(Digest.sha256, etagSource)),
    (hash) => new Entity(body, contentType, `"${Base64Url.encode(hash.subarray(0, 18))}"`)
  )

export const toTextEntity = (
  text: string,
  contentType: string
): Effect.Effect<Entity, never, Digest.Digest> => toEntity(encoder.encode(text), contentType)

/** 304 for a client that has it (RFC 9110, 13.1.2), else the whole. */
export const conditionalGet = (
  { body, contentType, etag }: Entity,
  requestHeaders: Headers.Headers
): HttpServerResponse.HttpServerResponse => {
  const headers = {
    etag,
    // One caller's answer is no other's; who keeps it asks first whether it still holds.
    "cache-control": "private, no-cache"
  }
  return hasEtag(requestHeaders["if-none-match"], etag)
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(body, { contentType, headers })
}

/** Compared weakly, as the standard says for this header. */
const hasEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" ||
    ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag))
