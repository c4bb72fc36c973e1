/** Whether a body is said to be JSON. Parameters such as `charset` do not matter, nor does a missing header. */
export const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i.test(contentType)
