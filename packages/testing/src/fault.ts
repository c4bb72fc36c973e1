/** Steps of a failing upstream. */
import type { EmbeddingFlaw, Flaw, ImageFlaw, RankingFlaw, Timeline } from "./Content.ts"
import * as reply from "./reply.ts"
import { type ResponsePhase, intervene, type ExchangePhase, say, type Step } from "./Step.ts"

/** A response with this status and the error envelope of the request's API. */
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

/** An error envelope inside a 200; `code` is the status in the error. */
export const errorInBody = (code = 502, message?: string): Step =>
  say({
    type: "error",
    code,
    status: 200,
    ...(message === undefined ? undefined : { message }),
    headers: {}
  })

/**
 * A chat that fails after these pieces. A stream ends with an event with an `error` of this code, and without `[DONE]`. A
 * whole answer has a choice with that error.
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
 * A refusal by the provider's content policy. A chat is a 200 with a `refusal` (`model`), or with the finish reason
 * `content_filter` (`filter`). A Decision is a 400 with the kind `content_policy_violation`.
 */
export const refusal = (by: "model" | "filter" = "model"): Step => say({ type: "refusal", by })

/**
 * A correct answer with one flaw, in `question` or else in the first question. For an answer of one token, every flaw is a
 * token that is not an option. Without a requested format, every flaw is prose.
 */
export const flawed = (flaw: Flaw, question?: string): Step =>
  say({
    type: "decision",
    distributions: {},
    report: {},
    flaw: { kind: flaw, ...(question === undefined ? undefined : { question }) }
  })

/** Correct embeddings with one flaw. */
export const flawedEmbeddings = (flaw: EmbeddingFlaw): Step =>
  say({ type: "embeddings", flaw, report: {} })

/** A correct ranking with one flaw. */
export const flawedRanking = (flaw: RankingFlaw): Step => say({ type: "ranking", flaw, report: {} })

/** Correct images with one flaw. */
export const flawedImages = (flaw: ImageFlaw): Step => say({ type: "images", flaw, report: {} })

/** A 200 with a JSON content type and another body. */
export const notJson = (): Step =>
  reply.raw("<html><body>It works!</body></html>", {
    headers: { "content-type": "application/json" }
  })

/** A 200 without a body. */
export const empty = (): Step => reply.raw("", { headers: { "content-type": "application/json" } })

/** Sends nothing after this phase; the connection stays open. */
export const silent = (
  after: ResponsePhase = "request_body",
  step: Step = reply.decision()
): Step => intervene(step, { type: "silence", after })

/**
 * Resets the connection (RST); under TLS it is closed. `accept` and `request_headers` are before the request is read, so
 * they work only in the script of the server. In a script of `when` or `forModel` they happen after the request is read. A
 * client on Node 22 mistakes a reset that arrives together with bytes for an orderly end; hold the step at a gate to
 * separate them.
 */
export const drop = (after: ExchangePhase = "request_body", step: Step = reply.decision()): Step =>
  intervene(step, { type: "drop", after, how: "reset" })

/**
 * Closes the connection in order (FIN) in the middle of the body: before its `content-length`, or without the last chunk. A
 * stream lacks the second half of its events.
 */
export const truncated = (
  framing: "length" | "chunked" = "length",
  step: Step = reply.decision()
): Step => ({
  ...intervene(step, { type: "drop", after: "response_body", how: "end" }),
  framing
})
