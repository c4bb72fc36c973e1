/** A request as the HTTP server reads it, the same for every host. */
import type * as Effect from "effect/Effect"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { makeUuid } from "../../values/ids/generateId.ts"
import type { BodyRequest, HostParsedBody, RequestHeaders } from "../body/BodyRequest.ts"
import type { Operation } from "../contract/Operation.ts"
import type { ErrorRules } from "../errors/toErrorResponse.ts"
import type { AnyResponse } from "../operation/JsonAnswer.ts"

/** A request of a host, with what the server reads of it. */
export interface IncomingRequest extends BodyRequest {
  readonly method: string
  /** The path below the mount, with the query. */
  readonly url: string
  /** With scheme and authority, if the host knows them. */
  readonly originalUrl: string
  /** The path prefix under which the host serves the instance, such as `/ai`; empty at the root. */
  readonly mount: string
  /** Identifies the request in its response and in the log. */
  readonly requestId: string
  /** What authenticators get as `source`: `source` itself, or the request that the host makes of it. */
  readonly hostRequest: object
  /** What it came over, such as a socket; absent: the host does not know. */
  readonly connection?: object | undefined
  /** Set by who reads the body before the server does, too. */
  hostBody: HostParsedBody | undefined
  /** Set by who authenticates the request before the server does; it then counts against no rate limit. */
  caller?: Caller
}

/** Responds to a request. It begins when it is called, so call it in the fiber or the `PendingRun` of the request. */
export type Respond = (request: IncomingRequest) => Effect.Effect<AnyResponse>

/** Undefined if the request has none. Used only to match requests; URLs are never built from it. */
export const findHostname = ({
  headers,
  originalUrl
}: Pick<IncomingRequest, "headers" | "originalUrl">): string | undefined => {
  // HTTP/2 uses `:authority`; a web-standard request may have only its URL.
  const authority = headers["host"] ?? headers[":authority"] ?? parseAuthority(originalUrl)
  return authority === undefined ? undefined : normalizeHostname(authority)
}

/** Lower case, without a port and without a trailing dot. */
export const normalizeHostname = (host: string): string =>
  host.trim().toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "")

const parseAuthority = (url: string): string | undefined => /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]

/** The header of the request id, in requests and responses. */
export const requestIdHeader = "x-request-id"

/** Ids from clients and proxies that do not match are replaced. */
const validRequestId = /^[\w.:/+=@~-]{1,128}$/

/** The id that a client or a proxy has given the request, or a new one. */
export const getRequestId = (headers: RequestHeaders): string => {
  const given = headers[requestIdHeader]
  return given !== undefined && validRequestId.test(given) ? given : `req-${makeUuid()}`
}

/** Detects and escapes paths with invalid percent-encoding, which routers handle differently. */
export const hasMalformedEncoding = (path: string): boolean => {
  if (!path.includes("%")) return false
  try {
    decodeURIComponent(path)
    return false
  } catch {
    return true
  }
}

/** Escapes every `%` in the path of a request target, so that any router accepts it. Keeps the query. */
export const escapePercents = (target: string): string => {
  const [path = ""] = target.split("?")
  return path.replaceAll("%", "%25") + target.slice(path.length)
}

const messagesPath = /^\/api\/v1\/messages(?:[/?]|$)/
const modelsPath = /^\/api\/v1\/models(?:[/?]|$)/

/** Clients of other APIs list models too, but send no version of this one. */
export const speaksMessages = ({
  headers,
  url
}: Pick<IncomingRequest, "headers" | "url">): boolean =>
  messagesPath.test(url) || (headers[versionHeader] !== undefined && modelsPath.test(url))

const versionHeader = "anthropic-version"

/**
 * Finds the error rules of a request. Without an operation, or for one outside the contract, there are no rules but
 * the envelope of the client.
 */
export const findErrorRules = (
  operation: Pick<Operation, "errorRules"> | undefined,
  request?: Pick<IncomingRequest, "headers" | "url">
): ErrorRules | undefined => {
  const rules = operation?.errorRules
  return request !== undefined && speaksMessages(request)
    ? { ...rules, envelope: "messages" }
    : rules
}
