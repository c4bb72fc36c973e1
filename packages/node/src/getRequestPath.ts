/** The path of a request, with the query, whichever form its target has. */
import type { IncomingMessage } from "node:http"

/** A client that takes us for a proxy sends `GET http://host/path` (RFC 9112, 3.2.2). */
const authority = /^https?:\/\/[^/?#]*/i

/** Begins with `/`, also where a client has sent a whole address. */
export const getRequestPath = ({ url = "/" }: Pick<IncomingMessage, "url">): string => {
  if (url.startsWith("/")) return url
  const path = url.replace(authority, "")
  return path.startsWith("/") ? path : `/${path}`
}
