/** A URL without its query, which may contain tokens. */
export const redactUrlQuery = (url: string): string => url.replace(/\?.*$/, "?...")
