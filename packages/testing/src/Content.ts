/** What a step says; the dialect of the request decides how it looks on the wire. */
import type { Distributions } from "./Distribution.ts"
import type { Gate } from "./Gate.ts"

/** Milliseconds, or a gate to wait for. */
export type Wait = number | Gate

/** Things sent one after the other, with waits between them. */
export type Timeline<A> = ReadonlyArray<A | Wait>

/** One event of a stream. */
export interface ServerSentEvent {
  /** Sent as it is when a string, as JSON otherwise. */
  readonly data?: unknown
  readonly event?: string
  /** A line clients ignore, such as a keep-alive. */
  readonly comment?: string
}

/** What the upstream says about an answer beside the answer itself. */
export interface Report {
  /** The model that answered; the model asked for unless given. */
  readonly model?: string
  readonly provider?: string
  readonly id?: string
  /** Chat: what it ran, and the tier it was served on. */
  readonly systemFingerprint?: string
  readonly serviceTier?: string
  /** What the call cost in USD; not reported unless given. */
  readonly cost?: number
  /** Counted from the bytes of request and answer unless given. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  /** Chat: what stands beside the counts, such as `prompt_tokens_details`. */
  readonly usageDetails?: Readonly<Record<string, unknown>>
}

/** A function the model wants to have called. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON, as a text. */
  readonly arguments: string
}

/** A way in which an otherwise correct answer is wrong. */
export type Flaw =
  | "missing_question"
  | "extra_question"
  | "wrong_type"
  /** Probabilities that sum to 2; where one number answers, a thousand times that number. */
  | "unnormalised"
  /** `"NaN"` where a number belongs. */
  | "not_a_number"

/** A correct answer, or one with a flaw. */
export interface DecisionContent {
  readonly type: "decision"
  readonly distributions: Distributions
  readonly report: Report
  readonly flaw?: { readonly kind: Flaw; readonly question?: string }
}

/** An assistant message. */
interface ChatContent {
  readonly type: "chat"
  /** Comes before the pieces. */
  readonly reasoning?: string
  readonly pieces: Timeline<string>
  /** Come after the pieces. */
  readonly toolCalls?: ReadonlyArray<ToolCall>
  /** Takes the place of a good end. */
  readonly error?: { readonly code: number | string; readonly message: string }
  readonly finishReason: string
  /** Whether a stream ends in `[DONE]`. */
  readonly done: boolean
  readonly report: Report
}

/** An assistant message of one token, drawn from these probabilities by token. */
interface LogprobsContent {
  readonly type: "logprobs"
  readonly probabilities: Readonly<Record<string, number>>
  readonly report: Report
}

/** The content policy refuses. */
interface RefusalContent {
  readonly type: "refusal"
  readonly by: "model" | "filter"
}

/** An error in the envelope of the request's dialect. */
export interface ErrorContent {
  readonly type: "error"
  /** The status the error names. */
  readonly code: number
  /** The status it is sent with. */
  readonly status: number
  /** The machine-readable kind, such as `context_length_exceeded`. */
  readonly kind?: string
  readonly message?: string
  readonly headers: Readonly<Record<string, string>>
}

/** These events and nothing else. */
interface EventsContent {
  readonly type: "events"
  readonly events: Timeline<ServerSentEvent>
}

/** These bytes and nothing else. */
interface RawContent {
  readonly type: "raw"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** What a provider says when it answers; each dialect says it in its own way. */
export type MessageContent = DecisionContent | ChatContent | LogprobsContent | RefusalContent

export type Content = MessageContent | ErrorContent | EventsContent | RawContent
