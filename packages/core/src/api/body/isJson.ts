/** Decides from its headers whether a request has a JSON body. Parameters such as `charset` are ignored. */

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
