/** Steps of an upstream that works. */
import type { Report, ServerSentEvent, Timeline, ToolCall } from "./Content.ts"
import type { Distributions } from "./Distribution.ts"
import { say, type Step } from "./Step.ts"

/**
 * A correct answer to every question, in the dialect and form it is asked in. Without
 * `distributions` the first option of n weighs n, the next n-1 and so on, scaled to sum to 1.
 */
export const decision = (distributions: Distributions = {}, report: Report = {}): Step =>
  say({ type: "decision", distributions, report })

/**
 * An assistant message of the chat dialect. Its pieces become the deltas of a stream, with waits
 * (milliseconds or gates) between them; without `stream` they are one text and nothing waits. A request
 * for `n` answers gets the same one so many times. `done: false` leaves out the final `[DONE]`.
 */
export const chat = (
  pieces: string | Timeline<string>,
  options: Report & {
    readonly finishReason?: string
    readonly done?: boolean
    /** What the model thinks, before it answers. */
    readonly reasoning?: string
    /** What it wants to have called; the finish reason is then `tool_calls` unless given. */
    readonly toolCalls?: ReadonlyArray<ToolCall>
  } = {}
): Step => {
  const {
    done = true,
    reasoning,
    toolCalls,
    finishReason = toolCalls === undefined ? "stop" : "tool_calls",
    ...report
  } = options
  return say({
    type: "chat",
    ...(reasoning === undefined ? undefined : { reasoning }),
    ...(toolCalls === undefined ? undefined : { toolCalls }),
    pieces: typeof pieces === "string" ? [pieces] : pieces,
    finishReason,
    done,
    report
  })
}

/**
 * A chat answer of one token, read out of these probabilities by token. The likeliest is the text;
 * as many as the request's `top_logprobs` asks for are listed.
 */
export const logprobs = (
  probabilities: Readonly<Record<string, number>>,
  report: Report = {}
): Step => say({ type: "logprobs", probabilities, report })

/** A stream of these events and nothing else, whatever the request asks for; end it as you please. */
export const events = (events: Timeline<ServerSentEvent>): Step => say({ type: "events", events })

/** Any JSON. */
export const json = (value: unknown, status = 200): Step =>
  raw(JSON.stringify(value), { status, headers: { "content-type": "application/json" } })

/** Any body. */
export const raw = (
  body: string | Uint8Array,
  options: {
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
  } = {}
): Step => say({ type: "raw", body, status: options.status ?? 200, headers: options.headers ?? {} })
