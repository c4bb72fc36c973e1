/**
 * The root URL of a server, without a slash at its end. The base URL of its clients, which ends in
 * `/api/v1`, means the same server.
 */
export const parseRootUrl = (baseUrl: string = "https://openrouter.ai"): string => {
  if (!/^https?:\/\/[^/]/i.test(baseUrl)) {
    // The URL may hold a password, so the error does not repeat it.
    throw new RangeError("baseUrl must be an address such as https://openrouter.ai")
  }
  return baseUrl.replace(/\/+$/, "").replace(/\/api\/v1$/, "")
}
