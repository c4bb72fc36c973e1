/** An error as it leaves the service: status, message, metadata, headers. */
import type { CommonFacts } from "./ErrorFacts.ts"

/** Every status of an error. */
export type ErrorStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 408
  | 409
  | 410
  | 413
  | 415
  | 416
  | 429
  | 500
  | 502
  | 503
  | 504
  | 524
  | 529

export interface ErrorResponse {
  readonly status: ErrorStatus
  /** The form of the body; absent: `error` has a code. */
  readonly form?: "messages"
  /** `error.code` of the envelope; default: the status. */
  readonly code?: string
  readonly message: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

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
