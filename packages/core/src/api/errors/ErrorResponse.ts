/** An error as it leaves the service: status, message, metadata, headers. */

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
