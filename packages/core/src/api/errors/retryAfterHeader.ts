/** `Retry-After` of error responses. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
import type { CommonFacts } from "./ErrorFacts.ts"

/** In whole seconds, at least one. */
export const toRetryAfterHeader = (millis: number): Readonly<Record<string, string>> => ({
  "retry-after": String(Math.max(1, Math.ceil(millis / 1000)))
})

export const toHeaders = ({
  headers,
  retryAfterMillis
}: CommonFacts): Readonly<Record<string, string>> => ({
  ...headers,
  ...(retryAfterMillis === undefined ? undefined : toRetryAfterHeader(retryAfterMillis))
})
