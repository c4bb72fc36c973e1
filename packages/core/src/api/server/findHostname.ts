/** Reads the hostname of a request, normalized for comparison. */
import type { IncomingRequest } from "./IncomingRequest.ts"

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
