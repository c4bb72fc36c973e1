/** How long a request says that its body is, before anything of it is read. */
import type { RequestHeaders } from "./BodyRequest.ts"

/** Bytes; Infinity if it does not say. A request without either header has no body (RFC 9112, section 6.3). */
export const findBodySize = (headers: RequestHeaders): number =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity
