/** Extracts the path of a request, with the query, from any form of its target. */
import type { IncomingMessage } from "node:http"

/** A client may send `GET http://host/path`: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
const authority = /^https?:\/\/[^/?#]*/i

/** Always begins with `/`. */
export const getRequestPath = ({ url = "/" }: Pick<IncomingMessage, "url">): string => {
  if (url.startsWith("/")) return url
  const path = url.replace(authority, "")
  return path.startsWith("/") ? path : `/${path}`
}
