/** One event of a stream, before it is written. */

/** One event of a stream. */
export interface ServerSentEvent {
  /** A string is sent unchanged, any other value as JSON. */
  readonly data?: unknown
  readonly event?: string
  /** A line that clients ignore, such as a keepalive. */
  readonly comment?: string
}
