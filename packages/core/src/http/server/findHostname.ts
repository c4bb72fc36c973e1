/** The host a request was sent to, as names are compared: lower case, without a port and a trailing dot. */
import type * as HttpServerRequest from "effect/http/HttpServerRequest"

/** Undefined when it does not say. It decides what is refused; no address is made of it. */
export const findHostname = ({
  headers,
  originalUrl
}: Pick<HttpServerRequest.HttpServerRequest, "headers" | "originalUrl">): string | undefined => {
  // HTTP/2 has a header of its own, and a web-standard request may have nothing but its address.
  const authority = headers["host"] ?? headers[":authority"] ?? parseAuthority(originalUrl)
  return authority === undefined ? undefined : normalizeHostname(authority)
}

export const normalizeHostname = (host: string): string =>
  host.trim().toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "")

const parseAuthority = (url: string): string | undefined => /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]
