/** What kind of body a request declares. */

/** Whether a page of another site can send a request together with the user's cookies. */
type Headers = Readonly<Record<string, string | undefined>>

/** Whether a browser sends the body across origins without a CORS preflight. */
export const isForm = (headers: Headers): boolean => {
  const contentType = headers["content-type"]
  return contentType === undefined
    ? // A page sends a body without a content type as a `Blob`.
      headers["origin"] !== undefined && hasBody(headers)
    : forms.test(contentType)
}

const hasBody = (headers: Headers): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** https://fetch.spec.whatwg.org/#cors-safelisted-request-header */
const forms =
  /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i

/** Whether the body is a form that may have files (RFC 7578). */
export const isMultipart = (headers: Headers): boolean =>
  /^\s*multipart\/form-data\s*(?:;|$)/i.test(headers["content-type"] ?? "")

/**
 * A missing content type counts as JSON unless the request has an `Origin` header. Browsers let pages of other
 * sites send bodies without a content type, together with the user's cookies.
 */
export const isJson = (headers: Readonly<Record<string, string | undefined>>): boolean => {
  const contentType = headers["content-type"]
  return contentType === undefined
    ? headers["origin"] === undefined
    : /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(contentType)
}
