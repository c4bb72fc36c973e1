/** Tells requests of the console's own page from those that other sites make a browser send. */
import type { IncomingRequest } from "@signalbox/core/adapter"

type Headers = IncomingRequest["headers"]

/**
 * Browsers say where a request comes from in `Sec-Fetch-Site`, on plain HTTP in `Origin` alone
 * (https://www.w3.org/TR/fetch-metadata/). No page of another site can set either of them.
 */
export const isSameOrigin = (headers: Headers): boolean => {
  const site = headers["sec-fetch-site"]
  return site === undefined ? isOwnOrigin(headers) : site === "same-origin"
}

/** Whether another site may have sent it. Addresses typed by the user are allowed, and clients other than browsers. */
export const isCrossOrigin = (headers: Headers): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  return headers["origin"] !== undefined && !isOwnOrigin(headers)
}

/** A proxy may have replaced `Host`. A page of another site cannot set `X-Forwarded-Host` either. */
const isOwnOrigin = ({ host, origin, ...headers }: Headers): boolean => {
  if (origin === undefined || !URL.canParse(origin)) return false
  const hosts = [host, headers[":authority"], ...(headers["x-forwarded-host"]?.split(",") ?? [])]
  return hosts.some((each) => each?.trim().toLowerCase() === new URL(origin).host)
}
