/** A response ready to be sent: what a step's content became for one request. */
import type { Timeline } from "./Content.ts"

export interface ScriptedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The whole body, or the parts of a stream and the waits between them. */
  readonly body: Uint8Array | Timeline<Uint8Array>
}

export const makeJsonResponse = (value: unknown): ScriptedResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(value))
})
