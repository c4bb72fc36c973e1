/** Results of an operation that are not just a body with its first declared status. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Digest from "effect/crypto/Digest"
import * as Base64Url from "effect/encoding/Base64Url"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { SettingsShape } from "../../instance/Settings.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { ParseOptions, ParseResult } from "../../routing/parseRequest.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { isSmallJson } from "../../values/json/JsonCost.ts"
import { encodeJson } from "../../values/json/encodeJson.ts"
import { chatLimit } from "../body/BodyLimit.ts"
import type { RequestHeaders } from "../body/BodyRequest.ts"
import { isJson } from "../body/contentType.ts"
import { toGenerationIdHeader } from "../errors/responseHeaders.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import type { ExpectedError } from "../errors/errorTable.ts"
import { type AnyResponse, JsonAnswer, jsonType } from "./JsonAnswer.ts"
import type { RequestContext } from "./RequestContext.ts"
import * as Step from "../../values/Step.ts"

/** A success with a status other than the first that its operation declares. */
export class Reply<out Body> {
  readonly status: number
  readonly body: Body

  constructor(status: number, body: Body) {
    this.status = status
    this.body = body
  }
}

export const reply = <Body>(status: number, body: Body): Reply<Body> => new Reply(status, body)

/** A streamed result: a call in process gets `value`, an HTTP client the response. */
export class StreamedReply<out Value> {
  readonly value: Value
  readonly toResponse: () => HttpServerResponse.HttpServerResponse

  constructor(value: Value, toResponse: () => HttpServerResponse.HttpServerResponse) {
    this.value = value
    this.toResponse = toResponse
  }
}

/** Encodes a body that may be large as a response, without blocking the event loop. */
export const encodeResponse = (
  body: object,
  headers: Readonly<Record<string, string>>
): Effect.Effect<AnyResponse> =>
  isSmallJson(body)
    ? Effect.succeed(new JsonAnswer(body, headers))
    : Effect.map(encodeJson(body), (bytes) =>
        HttpServerResponse.uint8Array(bytes, { contentType: jsonType, headers })
      )

type Answered = Effect.Effect<AnyResponse, ExpectedError>

/** Makes the handler of an operation. The id of an answer is a header, too. */
export const answerJson =
  <
    Parsed extends { readonly request: { readonly model: string } },
    Answer extends { readonly id: string }
  >(
    settings: SettingsShape,
    decode: (json: unknown, options: ParseOptions) => ParseResult<Parsed>,
    submit: (
      caller: Caller,
      parsed: Parsed,
      observer: RouteObserver | undefined
    ) => Effect.Effect<Answer, ExpectedError>
  ) =>
  (_: unknown, { caller, headers, readBody, routing }: RequestContext): Answered => {
    if (!isJson(headers)) return Effect.fail(new NotJson())
    return Step.flatMap(readBody(chatLimit(settings)), ({ bytes, json }): Answered => {
      const parsed = decode(json, { bytes, session: headers["x-session-id"], settings })
      if (Result.isFailure(parsed)) return Effect.fail(parsed.failure)
      const observer = routing.observeModel(parsed.success.request.model)
      return Step.flatMap(submit(caller, parsed.success, observer), (answer) =>
        encodeResponse(routing.addMetadata(answer), toGenerationIdHeader(answer.id))
      )
    })
  }

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
