/** An address as it may be told: a query is where receivers keep tokens. */
export const redactUrlQuery = (url: string): string => url.replace(/\?.*$/, "?...")
