/** The response to one request: its content, and its delays and disconnects. A plain value. */
import type { Content } from "./Content.ts"
import type { Gate } from "./Gate.ts"

/** The phases of an exchange, in order. Each names what has just happened. */
export type ExchangePhase =
  /** The connection is accepted, and nothing is read. */
  | "accept"
  /** The request's headers are read, but not its body. */
  | "request_headers"
  /** The whole request is read, and nothing is sent. */
  | "request_body"
  /** The status and headers are sent. */
  | "response_headers"
  /** Half of the body is sent; of a stream, half of its events. */
  | "response_body"

/** A phase at which a response can wait. */
export type ResponsePhase = Exclude<ExchangePhase, "accept" | "request_headers">

export type Intervention =
  | { readonly type: "delay"; readonly after: ResponsePhase; readonly millis: number }
  | { readonly type: "hold"; readonly after: ResponsePhase; readonly gate: Gate }
  | { readonly type: "silence"; readonly after: ResponsePhase }
  /** `reset` resets the connection (RST); `end` closes it in order (FIN), but too early. */
  | { readonly type: "drop"; readonly after: ExchangePhase; readonly how: "reset" | "end" }

/** Made by `reply`, `fault` and `pace`. */
export interface Step {
  readonly content: Content
  /** Whether the response has a `content-length`. Event streams are always chunked. */
  readonly framing: "length" | "chunked"
  /** In order within each phase. */
  readonly interventions: ReadonlyArray<Intervention>
}

export const say = (content: Content): Step => ({ content, framing: "length", interventions: [] })

export const intervene = (step: Step, intervention: Intervention): Step => ({
  ...step,
  interventions: [intervention, ...step.interventions]
})
