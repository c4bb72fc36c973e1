/** What an upstream was sent. */

export interface RecordedRequest {
  /** Its place in the order of arrival, from 1. */
  readonly at: number
  readonly method: string
  /** With its query string, as sent. */
  readonly path: string
  /** By lower-case name, `authorization` included. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as text; what came of it, when the client left or the connection was dropped before its end. */
  readonly raw: string
  /** The body as JSON; `undefined` when it is none. */
  readonly body: unknown
  /** The body's `model`, where it is JSON or a form that names one. */
  readonly model: string | undefined
  /** Whether the client left before it had the whole answer; changes while the exchange goes on. */
  readonly aborted: boolean
}
