/** Names a request in its response and in the log: `x-request-id`. */
import type * as Headers from "effect/http/Headers"

/** The header that names a request, in both directions. */
export const requestIdHeader = "x-request-id"

/** What an id may look like that a client or a proxy sends; any other is replaced. */
const validRequestId = /^[\w.:/+=@~-]{1,128}$/

export const getRequestId = (headers: Headers.Headers): string => {
  const given = headers[requestIdHeader]
  return given !== undefined && validRequestId.test(given) ? given : `req-${crypto.randomUUID()}`
}
