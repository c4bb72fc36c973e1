/** What a request has to offer for its body to be read. */
import * as Context from "effect/Context"
import type * as Scope from "effect/Scope"
import type { BodySource } from "./BodySource.ts"
import { isMultipart } from "./contentType.ts"

/** By name in lower case. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

export interface BodyRequest {
  readonly headers: RequestHeaders
  /** The host's own request: Node's, with what middleware added to it, or a web-standard one. */
  readonly source: object
  /** Undefined if the host has not read the body. */
  readonly hostBody: HostParsedBody | undefined
  /** Closes when the response has been sent. */
  readonly scope: Scope.Scope
  /** The body as it was sent; undefined for a request that cannot have a body. */
  readonly openBody: () => BodySource | undefined
  /** The same, for decompressing it. Fails if the body breaks off. */
  readonly iterateBody: () => AsyncIterable<Uint8Array>
}

/** A body as the host's parser left it. */
export interface HostParsedBody {
  readonly value: unknown
}

/** Undefined if the host has not read the body. */
export const HostBody = Context.Reference<HostParsedBody | undefined>(
  "@signalbox/core/api/body/HostBody",
  {
    defaultValue: () => undefined
  }
)

/** Bytes; Infinity if it does not say. A request without either header has no body (RFC 9112, section 6.3). */
export const findBodySize = (headers: RequestHeaders): number =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity

/** What is wrong, and what to do about it; undefined if the body can still be read, or if there is none. */
export const findLostBody = (source: object, headers: RequestHeaders): string | undefined => {
  // A web-standard request: https://fetch.spec.whatwg.org/#dom-body-bodyused
  if ("bodyUsed" in source) return source.bodyUsed === true ? lostRequest : undefined
  // Node's: https://nodejs.org/api/stream.html#readablereadabledidread
  const wasRead = "readableDidRead" in source && source.readableDidRead === true
  if (!wasRead || findBodySize(headers) === 0) return undefined
  return isMultipart(headers) ? lostForm : lostStream
}

const lostStream =
  "the body was read by middleware of the host that did not keep it; mount Signalbox before that middleware, or let a " +
  "body parser such as express.json() put the body into request.body"

/** Also for a form whose parts a parser of the host has taken apart. */
export const lostForm =
  "the form was read by a parser of the host, such as multer; mount Signalbox before that parser, or let " +
  'express.raw({ type: "multipart/form-data" }) put the bytes of the body into request.body'

const lostRequest =
  "the body of the Request was already used by the host; pass the Request on before its body is read, or read a clone of it"
