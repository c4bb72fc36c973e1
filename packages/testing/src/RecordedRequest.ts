/** A request that an upstream received. */

export interface RecordedRequest {
  /** Its number in the order of arrival, from 1. */
  readonly at: number
  readonly method: string
  /** With its query string, as sent. */
  readonly path: string
  /** By lower-case name, including `authorization`. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as text; partial if the client disconnected or the connection was dropped. */
  readonly raw: string
  /** The body as JSON; `undefined` if it is not JSON. */
  readonly body: unknown
  /** The `model` of a JSON or form body, else the model in the path. */
  readonly model: string | undefined
  /** Whether the client disconnected before the end of the response. Changes during the exchange. */
  readonly aborted: boolean
}
