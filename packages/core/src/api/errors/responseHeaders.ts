/** The headers that say when to try again, and which record a response has. */
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

/** The header by which a response names its generation record. */
export const toGenerationIdHeader = (id: string): { readonly "x-generation-id": string } => ({
  "x-generation-id": id
})
