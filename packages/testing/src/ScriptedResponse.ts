/** The response to one request, made from the content of a step. */
import type { Timeline } from "./Content.ts"

export interface ScriptedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The whole body, or the parts of a stream with waits between them. */
  readonly body: Uint8Array | Timeline<Uint8Array>
}

export const makeJsonResponse = (value: unknown): ScriptedResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(value))
})
