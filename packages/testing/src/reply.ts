/** Steps of a working upstream. */
import type {
  EmbeddingContent,
  ImageContent,
  RankingContent,
  Report,
  Timeline,
  ToolCall
} from "./Content.ts"
import type { ServerSentEvent } from "./ServerSentEvent.ts"
import type { Distributions } from "./Distribution.ts"
import type { SendsQuirk } from "./quirks/Quirk.ts"
import { say, type Step } from "./Step.ts"

/**
 * A correct answer to every question, in the API and format of the request. Without `distributions`, the first of n options
 * has the weight n, the next n-1 and so on, scaled to the sum 1.
 */
export const decision = (distributions: Distributions = {}, report: Report = {}): Step =>
  say({ type: "decision", distributions, report })

/**
 * An assistant message of a chat. Its pieces become the deltas of a stream, with waits (milliseconds or gates) between them.
 * Without `stream` they are one text, without waits. A request for `n` answers gets the same one `n` times. `done: false`
 * omits the final `[DONE]`.
 */
export const chat = (
  pieces: string | Timeline<string>,
  options: Report & {
    readonly finishReason?: string
    readonly done?: boolean
    /** The reasoning before the answer. */
    readonly reasoning?: string
    /** The finish reason then defaults to `tool_calls`. */
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
 * A chat answer of one token with these probabilities. The most probable one is the text, and the request's `top_logprobs`
 * are listed.
 */
export const logprobs = (
  probabilities: Readonly<Record<string, number>>,
  report: Report = {}
): Step => say({ type: "logprobs", probabilities, report })

/**
 * A vector for each input, by default `vectorOf` each, in the encoding that the request asks for. `isReversed` sends the last
 * one first, with its index.
 */
export const embeddings = (
  options: Report & Omit<EmbeddingContent, "type" | "flaw" | "report"> = {}
): Step => {
  const { encoding, isReversed, omitsUsage, vectors, ...report } = options
  return say({
    type: "embeddings",
    ...(vectors === undefined ? undefined : { vectors }),
    ...(encoding === undefined ? undefined : { encoding }),
    ...(isReversed === undefined ? undefined : { isReversed }),
    ...(omitsUsage === undefined ? undefined : { omitsUsage }),
    report
  })
}

/** A score for each document, best first; by default the first document is the most relevant. */
export const ranking = (
  scores?: ReadonlyArray<number>,
  options: Report & Pick<RankingContent, "omitsUsage"> = {}
): Step => {
  const { omitsUsage, ...report } = options
  return say({
    type: "ranking",
    ...(scores === undefined ? undefined : { scores }),
    ...(omitsUsage === undefined ? undefined : { omitsUsage }),
    report
  })
}

/** Audio, as it is sent, with waits (milliseconds or gates) between its pieces. */
export const audio = (
  pieces: Timeline<Uint8Array>,
  options: { readonly contentType?: string } = {}
): Step => say({ type: "audio", pieces, ...options })

/**
 * As many images as the request asks for, by default `imageOf` its size. A stream has as many previews as it asks for (default 2)
 * before them.
 */
export const images = (
  options: Report & Omit<ImageContent, "type" | "flaw" | "report"> = {}
): Step => {
  const { beforeImages, error, images, omitsUsage, quality, size, ...report } = options
  return say({
    type: "images",
    ...(images === undefined ? undefined : { images }),
    ...(size === undefined ? undefined : { size }),
    ...(quality === undefined ? undefined : { quality }),
    ...(beforeImages === undefined ? undefined : { beforeImages }),
    ...(error === undefined ? undefined : { error }),
    ...(omitsUsage === undefined ? undefined : { omitsUsage }),
    report
  })
}

/** A stream of exactly these events, for any request. */
export const events = (events: Timeline<ServerSentEvent>): Step => say({ type: "events", events })

/** What a row of `quirks` sends, whole or streamed as requested. */
export const quirk = (quirk: SendsQuirk): Step => say({ type: "quirk", quirk })

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
