/** The chat capability of an upstream. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type * as Stream from "effect/Stream"
import type { Answer, AnswerEnd } from "../conversation/Answer.ts"
import type { Dialect } from "../conversation/Dialect.ts"
import type { NativeRequest } from "../conversation/NativeRequest.ts"
import type { PushStream } from "../values/push/PushStream.ts"
import type { NanoUsd } from "../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../values/usage/TokenUsage.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One chat for one endpoint of an upstream. */
export interface ChatCall {
  /** The model's name at the upstream. */
  readonly model: string
  /** In OpenAI's dialect, unchanged from the untrusted caller. */
  readonly messages: ReadonlyArray<ChatMessage>
  /**
   * Such as `temperature`, `max_tokens`, `tools` or `response_format`, named as in OpenAI's dialect and unchanged
   * from the caller: those that the endpoint supports, or all when it has no list of parameters.
   */
  readonly parameters: Readonly<Record<string, unknown>>
  /**
   * The request of a caller who speaks another dialect; `messages` and `parameters` say the same. An upstream of that
   * dialect sends it instead, with the model and the form of the answer replaced, and without what the endpoint would
   * refuse. Absent: the caller spoke OpenAI's.
   */
  readonly native?: NativeRequest
  /** Headers of the caller for providers of one dialect, such as `anthropic-beta`: no other provider gets them. */
  readonly dialectHeaders?: DialectHeaders
  /** The endpoint's list of parameters, by their names in chat, for `native`; absent: it has none. */
  readonly supportedParameters?: ReadonlySet<string>
  /** UTF-8 bytes of messages and parameters as JSON: an upper bound of the tokens. */
  readonly contentBytes: number
  /** The maximum length of the answer in tokens, set by the caller or the endpoint. */
  readonly maxOutputTokens?: number
  /** The customer's own credential; absent: the host's is used. */
  readonly credential?: Redacted.Redacted
  /**
   * Receives the usage of a stream so far, whenever the upstream reports it before the end; undefined when content
   * follows that report. An answer that breaks off is charged by the last call.
   */
  readonly onUsage?: (usage: TokenUsage | undefined) => void
}

/** Headers that mean something in one dialect only. */
export interface DialectHeaders {
  readonly dialect: Dialect
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** One message of a chat; its keys are data. */
export interface ChatMessage {
  readonly role: string
  readonly [field: string]: unknown
}

/** What the upstream reports about how it served a call; absent: not reported. */
export interface ChatServingInfo {
  readonly systemFingerprint?: string
  /** The service tier of the call, such as `default` or `flex`. */
  readonly serviceTier?: string
}

/** What the upstream reports about a whole answer; absent: not reported. */
export interface ChatMetadata extends ChatServingInfo {
  /** The upstream's id of the answer, for its support. */
  readonly id?: string
  readonly usage?: TokenUsage
  /** Further usage fields of the HTTP API, such as `prompt_tokens_details`. */
  readonly usageDetails?: Readonly<Record<string, unknown>>
  /** The cost that the upstream reports. */
  readonly cost?: NanoUsd
  /** The dated name of the model that answered. */
  readonly model?: string
}

/** A whole answer and its usage. */
export interface ChatReply extends ChatMetadata {
  /** One for each requested answer; at least one. */
  readonly choices: ReadonlyArray<ChatChoice>
  /** The same answer as the provider wrote it, for a call whose `native` request was sent. Absent: it was not. */
  readonly native?: Readonly<Record<string, unknown>>
}

/** One answer of a chat. */
export interface ChatChoice {
  readonly index: number
  /** `role`, `content`, `tool_calls` and every other field of the upstream. */
  readonly message: ChatMessage
  /** Such as `stop`, `length`, `tool_calls` or `content_filter`. */
  readonly finishReason: string | null
  /** The finish reason in the words of the model's provider; absent: the same as `finishReason`. */
  readonly nativeFinishReason?: string
  readonly logprobs?: unknown
  /**
   * The same answer with its parts in the order of the provider, which `message` cannot say. Absent: `message` says all.
   */
  readonly answer?: Answer
}

/** A part of an answer. Leave out a part that has only the role, because it is not a first token. */
export interface ChatDeltaEvent extends ChatServingInfo {
  readonly type: "delta"
  readonly choices: ReadonlyArray<ChatDelta>
  /**
   * The events of the provider since the last delta, unchanged, for a call whose `native` request was sent; then `choices`
   * may be empty. Absent: it was not sent.
   */
  readonly native?: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** One event of a streamed chat. */
export type ChatEvent =
  | ChatDeltaEvent
  /** The last event of a complete stream. */
  | ({ readonly type: "end" } & ChatMetadata)

/** A streamed answer, pulled or pushed. */
export type ChatEvents =
  | Stream.Stream<ChatEvent, UpstreamFailure, HttpClient.HttpClient>
  | PushStream<ChatEvent, UpstreamFailure, HttpClient.HttpClient>

/** One piece of a choice. */
export interface ChatDelta {
  readonly index: number
  /** `content`, `reasoning`, `tool_calls` and every other field of the upstream, without the role. */
  readonly delta: Readonly<Record<string, unknown>>
  readonly finishReason: string | null
  readonly nativeFinishReason?: string
  /** What chat does not say about the end: the text that ended the answer, or why the model declined. */
  readonly end?: Pick<AnswerEnd, "explanation" | "stopSequence">
  readonly logprobs?: unknown
}

/**
 * Chats at an upstream. Each call sends one request, because retries and fallbacks belong to the router. An
 * interruption must abort the request. An error reported with status 200 or as an event is an `UpstreamFailure`.
 */
export interface ChatCapability {
  readonly complete: (
    call: ChatCall
  ) => Effect.Effect<ChatReply, UpstreamFailure, HttpClient.HttpClient>
  /**
   * Streams the answer. A stream that breaks off ends without `end`; the core turns that into a failure, and
   * enforces the timeouts between events.
   */
  readonly stream: (call: ChatCall) => ChatEvents
  /**
   * It uses the host's own credential only and ignores `credential` of a call, so customers' credentials are not
   * used. Absent: it uses `credential`.
   */
  readonly ignoresCredentials?: true
  /**
   * It rejects a call with an unsupported parameter instead of ignoring the parameter, so an endpoint without a list
   * of parameters satisfies `require_parameters`. Absent: it may ignore some.
   */
  readonly checksParameters?: true
  /**
   * The dialect that it speaks to its provider, or to which of its models, by the model's name at the upstream. A caller's
   * request in that dialect reaches the provider as it was written (`ChatCall.native`). Absent: OpenAI's chat dialect.
   */
  readonly dialect?: Dialect | ((model: string) => Dialect)
  /**
   * Whose signatures and encrypted reasoning it reads, such as `anthropic`, or which of its models reads whose, by the
   * model's name at the upstream: those of others are left out of its requests. Absent or undefined: messages are passed on
   * as they are.
   */
  readonly reasoningFamily?: string | ((model: string) => string | undefined)
  /** The maximum usage of the call, which is reserved before it. */
  readonly estimateWorstCase: (call: ChatCall) => TokenUsage
}
