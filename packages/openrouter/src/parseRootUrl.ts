/**
 * The root of a server of this wire, without a slash at its end. The address that its clients are given, which ends in
 * `/api/v1`, means the same server.
 */
export const parseRootUrl = (baseUrl: string = "https://openrouter.ai"): string => {
  if (!/^https?:\/\/[^/]/i.test(baseUrl)) {
    // It may hold a password, so it is not repeated.
    throw new RangeError("baseUrl must be an address such as https://openrouter.ai")
  }
  return baseUrl.replace(/\/+$/, "").replace(/\/api\/v1$/, "")
}
