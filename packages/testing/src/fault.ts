/** Steps of an upstream that fails. */
import type { Flaw, Timeline } from "./Content.ts"
import * as reply from "./reply.ts"
import { type ResponsePhase, intervene, type ExchangePhase, say, type Step } from "./Step.ts"

/** The error envelope of the request's dialect with this status. */
export const status = (
  status: number,
  options: {
    /** Sent as `Retry-After`: seconds, or a date. */
    readonly retryAfter?: number | Date
    /** The machine-readable kind, such as `context_length_exceeded`. */
    readonly kind?: string
    readonly message?: string
    readonly headers?: Readonly<Record<string, string>>
  } = {}
): Step => {
  const { headers, retryAfter, ...named } = options
  return say({
    type: "error",
    code: status,
    status,
    ...named,
    headers: {
      ...headers,
      ...(retryAfter === undefined
        ? undefined
        : {
            "retry-after":
              typeof retryAfter === "number" ? String(retryAfter) : retryAfter.toUTCString()
          })
    }
  })
}

/** An error envelope inside a 200; `code` is the status it names. */
export const errorInBody = (code = 502, message?: string): Step =>
  say({
    type: "error",
    code,
    status: 200,
    ...(message === undefined ? undefined : { message }),
    headers: {}
  })

/**
 * A chat that fails after these pieces: a last event with an `error` whose code is this, and no `[DONE]`; not
 * streamed, a choice with that error.
 */
export const errorEvent = (
  code: number | string = 502,
  pieces: Timeline<string> = ["All ", "is "],
  message = "Provider disconnected"
): Step =>
  say({
    type: "chat",
    pieces,
    error: { code, message },
    finishReason: "error",
    done: false,
    report: {}
  })

/**
 * The provider's content policy refuses. Chat: a 200 whose message is a `refusal` (`model`) or that
 * ends in `content_filter` (`filter`). Decisions: a 400 of kind `content_policy_violation`.
 */
export const refusal = (by: "model" | "filter" = "model"): Step => say({ type: "refusal", by })

/**
 * A correct answer but for one flaw, in `question` or else in the first one. Where one token
 * answers, every flaw is a token that is none of the options; where no form is asked for, prose.
 */
export const flawed = (flaw: Flaw, question?: string): Step =>
  say({
    type: "decision",
    distributions: {},
    report: {},
    flaw: { kind: flaw, ...(question === undefined ? undefined : { question }) }
  })

/** A 200 that says it is JSON and is not. */
export const notJson = (): Step =>
  reply.raw("<html><body>It works!</body></html>", {
    headers: { "content-type": "application/json" }
  })

/** A 200 without a body. */
export const empty = (): Step => reply.raw("", { headers: { "content-type": "application/json" } })

/** From this moment on nothing happens any more; the connection stays open. */
export const silent = (
  after: ResponsePhase = "request_body",
  step: Step = reply.decision()
): Step => intervene(step, { type: "silence", after })

/**
 * Breaks the connection off (RST; under TLS it is closed). `accept` and `request_headers` happen
 * before the request is read, so only the script of the whole server can choose them in time; in
 * the script of a lane they happen once the request is read. A client on Node 22 takes a reset that
 * arrives together with bytes for an orderly end; hold the step at a gate to keep the two apart.
 */
export const drop = (after: ExchangePhase = "request_body", step: Step = reply.decision()): Step =>
  intervene(step, { type: "drop", after, how: "reset" })

/**
 * Closes the connection in order (FIN) half-way through the body: short of its `content-length`, or
 * without the last chunk. Of a stream the second half of the events is missing.
 */
export const truncated = (
  framing: "length" | "chunked" = "length",
  step: Step = reply.decision()
): Step => ({
  ...intervene(step, { type: "drop", after: "response_body", how: "end" }),
  framing
})
