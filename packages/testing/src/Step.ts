/** What an upstream does with one request: what it says, and how the exchange goes. A plain value. */
import type { Content } from "./Content.ts"
import type { Gate } from "./Gate.ts"

/** What has just happened in an exchange, in order. */
export type ExchangePhase =
  /** The connection is accepted, nothing is read. */
  | "accept"
  /** The request's headers are read, its body is not. */
  | "request_headers"
  /** The whole request is read, nothing is answered. */
  | "request_body"
  /** The answer's status and headers are sent. */
  | "response_headers"
  /** Half of the answer's body is sent (of a stream: half of its events). */
  | "response_body"

/** A moment at which the answer to a request can wait. */
export type ResponsePhase = Exclude<ExchangePhase, "accept" | "request_headers">

export type Intervention =
  | { readonly type: "delay"; readonly after: ResponsePhase; readonly millis: number }
  | { readonly type: "hold"; readonly after: ResponsePhase; readonly gate: Gate }
  | { readonly type: "silence"; readonly after: ResponsePhase }
  /** `reset` breaks the connection off (RST); `end` closes it in order (FIN), but too early. */
  | { readonly type: "drop"; readonly after: ExchangePhase; readonly how: "reset" | "end" }

/** Made by `reply`, `fault` and `pace`. */
export interface Step {
  readonly content: Content
  /** Whether the body's length is declared (`content-length`). Event streams are always chunked. */
  readonly framing: "length" | "chunked"
  /** Taken in order at each moment. */
  readonly interventions: ReadonlyArray<Intervention>
}

export const say = (content: Content): Step => ({ content, framing: "length", interventions: [] })

export const intervene = (step: Step, intervention: Intervention): Step => ({
  ...step,
  interventions: [intervention, ...step.interventions]
})
