/** Whether a request says that its body is JSON. Parameters such as `charset` do not matter. */

/**
 * A missing type counts as JSON unless a browser sent the request, which it shows by `origin`: a page of another
 * site can send a body without a type, and the cookies of its reader with it.
 */
export const isJson = (headers: Readonly<Record<string, string | undefined>>): boolean => {
  const contentType = headers["content-type"]
  return contentType === undefined
    ? headers["origin"] === undefined
    : /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(contentType)
}
