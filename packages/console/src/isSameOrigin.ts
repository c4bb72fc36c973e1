/** Tells requests of the console's own page from those of other clients. */
import { type IncomingRequest, isOwnOrigin } from "@signalbox/core/adapter"

/**
 * Browsers say where a request comes from in `Sec-Fetch-Site`, on plain HTTP in `Origin` alone
 * (https://www.w3.org/TR/fetch-metadata/). No page of another site can set either of them.
 */
export const isSameOrigin = (request: IncomingRequest): boolean => {
  const { headers } = request
  const site = headers["sec-fetch-site"]
  return site === undefined ? isOwnOrigin(headers, request) : site === "same-origin"
}
