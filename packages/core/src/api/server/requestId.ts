/** The id of a request, which appears in its response and in the log. */
import { makeUuid } from "../../values/ids/makeUuid.ts"
import type { RequestHeaders } from "../body/BodyRequest.ts"

/** The header of the request id, in requests and responses. */
export const requestIdHeader = "x-request-id"

/** Ids from clients and proxies that do not match are replaced. */
const validRequestId = /^[\w.:/+=@~-]{1,128}$/

/** The id that a client or a proxy has given the request, or a new one. */
export const getRequestId = (headers: RequestHeaders): string => {
  const given = headers[requestIdHeader]
  return given !== undefined && validRequestId.test(given) ? given : `req-${makeUuid()}`
}
