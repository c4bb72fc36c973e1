/** Makes bodies with an ETag, which is a hash. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Entity } from "./conditionalGet.ts"

const encoder = new TextEncoder()

/** `etagSource` identifies the body and may be cheaper to hash. Default: the body. */
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

/** `{ "data": value }` with its ETag. */
export const toDataEntity = (value: unknown): Effect.Effect<Entity, never, Digest.Digest> =>
  toTextEntity(JSON.stringify({ data: value }), "application/json")
