/** The id of a request, which appears in its response and in the log. */
import type * as Headers from "effect/http/Headers"

/** The header of the request id, in requests and responses. */
export const requestIdHeader = "x-request-id"

/** Ids from clients and proxies that do not match are replaced. */
const validRequestId = /^[\w.:/+=@~-]{1,128}$/

export const getRequestId = (headers: Headers.Headers): string => {
  const given = headers[requestIdHeader]
  return given !== undefined && validRequestId.test(given) ? given : `req-${crypto.randomUUID()}`
}
