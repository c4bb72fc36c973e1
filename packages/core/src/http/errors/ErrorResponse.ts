/** What a caller is told when something fails: status, message, facts, headers. */

/** Every status the service answers with, success aside. Nothing chooses one outside this folder. */
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

/** A failure as a caller is told of it. */
export interface ErrorResponse {
  readonly status: ErrorStatus
  /** What `error.code` says; default: the status. */
  readonly code?: string
  readonly message: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** `Retry-After` in whole seconds, at least one. */
export const toRetryAfterHeader = (millis: number): Readonly<Record<string, string>> => ({
  "retry-after": String(Math.max(1, Math.ceil(millis / 1000)))
})
