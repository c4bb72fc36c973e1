/** The content of a step. The API of the request determines its format. */
import type { Distributions } from "./Distribution.ts"
import type { Gate } from "./Gate.ts"
import type { ServerSentEvent } from "./ServerSentEvent.ts"
import type { SendsQuirk } from "./quirks/Quirk.ts"

/** Milliseconds, or a gate to wait for. */
export type Wait = number | Gate

/** A sequence of things to send, with waits between them. */
export type Timeline<A> = ReadonlyArray<A | Wait>

/** The metadata of an answer. */
export interface Report {
  /** The model that answered; default: the requested one. */
  readonly model?: string
  readonly provider?: string
  readonly id?: string
  /** Chat: the system fingerprint and the service tier. */
  readonly systemFingerprint?: string
  readonly serviceTier?: string
  /** The cost in USD; not reported by default. */
  readonly cost?: number
  /** Default: counted from the bytes of request and answer. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  /** Chat: further usage fields, such as `prompt_tokens_details`. */
  readonly usageDetails?: Readonly<Record<string, unknown>>
}

/** A function call that the model requests. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/** A flaw of an otherwise correct answer. */
export type Flaw =
  | "missing_question"
  | "extra_question"
  | "wrong_type"
  /** Probabilities with the sum 2; a single number is multiplied by a thousand. */
  | "unnormalised"
  /** `"NaN"` instead of a number. */
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
  /** Sent before the pieces. */
  readonly reasoning?: string
  readonly pieces: Timeline<string>
  /** Sent after the pieces. */
  readonly toolCalls?: ReadonlyArray<ToolCall>
  /** Sent instead of a successful end. */
  readonly error?: { readonly code: number | string; readonly message: string }
  readonly finishReason: string
  /** Whether a stream ends with `[DONE]`. */
  readonly done: boolean
  readonly report: Report
}

/** An assistant message of one token, drawn from these probabilities by token. */
interface LogprobsContent {
  readonly type: "logprobs"
  readonly probabilities: Readonly<Record<string, number>>
  readonly report: Report
}

/** A flaw of otherwise correct embeddings. */
export type EmbeddingFlaw =
  | "missing_vector"
  | "extra_vector"
  | "repeated_index"
  | "wrong_length"
  /** `null` instead of a number. */
  | "not_a_number"

/** A vector for each input. */
export interface EmbeddingContent {
  readonly type: "embeddings"
  /** One for each input; default: derived from the inputs. */
  readonly vectors?: ReadonlyArray<ReadonlyArray<number>>
  /** Default: as requested. */
  readonly encoding?: "float" | "base64"
  /** Whether the last one comes first; the indices say where they belong. */
  readonly isReversed?: boolean
  readonly omitsUsage?: boolean
  readonly flaw?: EmbeddingFlaw
  readonly report: Report
}

/** A flaw of an otherwise correct ranking. */
export type RankingFlaw = "missing_result" | "repeated_index" | "unknown_index" | "not_a_number"

/** A score for each document. */
export interface RankingContent {
  readonly type: "ranking"
  /** One for each document; default: the first is the most relevant. */
  readonly scores?: ReadonlyArray<number>
  readonly omitsUsage?: boolean
  readonly flaw?: RankingFlaw
  readonly report: Report
}

/** Audio, as it is sent. */
export interface AudioContent {
  readonly type: "audio"
  readonly pieces: Timeline<Uint8Array>
  /** Default: that of the requested format. */
  readonly contentType?: string
}

/** A flaw of an otherwise correct answer with images. */
export type ImageFlaw = "no_image" | "extra_image" | "not_base64"

/** As many images as the request asks for. */
export interface ImageContent {
  readonly type: "images"
  /** Files in base64; default: `imageOf` the requested size, by their number. */
  readonly images?: ReadonlyArray<string>
  /** The size of the files, such as `1024x1024`; default: the requested one. */
  readonly size?: string
  /** The quality that the answer reports. */
  readonly quality?: string
  /** A stream waits after its previews. */
  readonly beforeImages?: Wait
  /** A stream ends with this error in place of its images. */
  readonly error?: string
  readonly omitsUsage?: boolean
  readonly flaw?: ImageFlaw
  readonly report: Report
}

/** The content policy refuses. */
interface RefusalContent {
  readonly type: "refusal"
  readonly by: "model" | "filter"
}

/** An error in the envelope of the request's API. */
export interface ErrorContent {
  readonly type: "error"
  /** The status in the error. */
  readonly code: number
  /** The status of the response. */
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

/** What a row of the table of quirks sends, whole or streamed as requested. */
interface QuirkContent {
  readonly type: "quirk"
  readonly quirk: SendsQuirk
}

/** These bytes and nothing else. */
interface RawContent {
  readonly type: "raw"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** An answer. Each API has its own format for it. */
export type MessageContent = DecisionContent | ChatContent | LogprobsContent | RefusalContent

export type Content =
  | MessageContent
  | EmbeddingContent
  | ImageContent
  | RankingContent
  | AudioContent
  | ErrorContent
  | EventsContent
  | QuirkContent
  | RawContent
