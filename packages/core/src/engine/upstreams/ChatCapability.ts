/** The chat capability of an upstream. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import type { Answer, AnswerEnd, AnswerEvent } from "../../conversation/Answer.ts"
import type { Conversation } from "../../conversation/Conversation.ts"
import type { Dialect, NativeRequest } from "../../conversation/Dialect.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { ModelUsage, ServerCalls } from "../../values/usage/ModelUsage.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ChatFacts } from "./ChatFacts.ts"
import type { ChangeListener } from "./ChangeListener.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One chat for one endpoint of an upstream. */
export interface ChatCall {
  /** The model's name at the upstream. */
  readonly model: string
  /**
   * The request of the untrusted caller in the caller's API. An upstream of that dialect sends it, with the model and
   * the form of the answer replaced, and without parts that the endpoint would refuse. A request in OpenAI's chat
   * dialect has the messages and the parameters that the endpoint supports, or all when the endpoint has no list of
   * parameters.
   */
  readonly native: NativeRequest
  /**
   * The neutral form of the request, for an upstream of another dialect, with the settings that the endpoint supports.
   * Computed on access, because most chats are passed on. The failure is an `unsupported_parameter`: the request has no
   * neutral form.
   */
  readonly conversation: Result.Result<Conversation, UpstreamFailure>
  /** The facts that bound the tokens of the call, besides `contentBytes`; computed on access. */
  readonly facts: ChatFacts
  /** The service tier that the endpoint sells, or the caller asked for, such as `flex`; absent: none. */
  readonly serviceTier?: string
  /** Headers of the caller for providers of one dialect, such as `anthropic-beta`: no other provider gets them. */
  readonly dialectHeaders?: DialectHeaders
  /** The endpoint's list of parameters, by their names in chat; absent: the endpoint has no list. */
  readonly supportedParameters?: ReadonlySet<string>
  /**
   * The efforts of reasoning that the model knows, as the catalog says (`reasoning.supported_efforts` of its card):
   * others are rounded to these. Absent: the upstream's own facts count.
   */
  readonly efforts?: ReadonlyArray<string>
  /**
   * The fields of the request that the capability names in `serverFields`, as the caller wrote them, for the body of the
   * request to its server; absent: none.
   */
  readonly serverFields?: Readonly<Record<string, unknown>>
  /** UTF-8 bytes of the content as JSON: an upper bound of the tokens of its text. */
  readonly contentBytes: number
  /** The maximum length of the answer in tokens, set by the caller or the endpoint. */
  readonly maxOutputTokens?: number
  /** The customer's own credential; absent: the host's is used. */
  readonly credential?: Redacted.Redacted
  /**
   * Receives the usage of a stream so far, whenever the upstream reports it before the end; undefined when content
   * follows that report. An answer that breaks off is charged by the last usage, and for the content after it.
   */
  readonly onUsage?: (usage: TokenUsage | undefined) => void
  /**
   * Receives what else is known of a stream so far, whenever the upstream learns more before the end, such as the service
   * tier. An answer that breaks off is charged by the last call.
   */
  readonly onReport?: (report: ChatMetadata) => void
  /**
   * Receives what of the request is sent in another form than the caller's, or not at all, because the provider would refuse
   * it: places by their names in chat, such as `reasoning` or `messages.3.content`. Called before the request is sent, if there
   * is anything, and with what the provider says that it ignored before the answer begins.
   */
  readonly onChange?: ChangeListener
  /**
   * Receives the body of the request of a stream as it is sent, without secrets, for a caller that asks to see it. Absent: it
   * does not.
   */
  readonly onBody?: (body: unknown) => void
}

/** Headers that mean something in one dialect only. */
export interface DialectHeaders {
  readonly dialect: Dialect
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
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
  /** The share of `usage` that other models used, such as an advisor of the provider's; absent: none. */
  readonly usageByModel?: ReadonlyArray<ModelUsage>
  /** The speed and the place that served it, as Anthropic reports them. */
  readonly speed?: string
  readonly inferenceGeo?: string
  /** Further usage fields of the HTTP API, such as `prompt_tokens_details`. */
  readonly usageDetails?: Readonly<Record<string, unknown>>
  /** The cost that the upstream reports. */
  readonly cost?: NanoUsd
  /**
   * The tools that the provider was seen to run by itself, which are charged where it reports no usage; absent: none.
   */
  readonly serverCalls?: ServerCalls
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
  readonly answer: Answer
  /**
   * The message of a provider that speaks OpenAI's chat dialect, with every field that it wrote, for callers of the chat API.
   * Absent: `answer` says all.
   */
  readonly native?: Readonly<Record<string, unknown>>
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
  /** The request that the provider got, for a caller that asks to see it; set by the router. Absent: not asked for. */
  readonly sentBody?: unknown
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
  /** In the order in which they were said; empty for a piece that only ends the choice. */
  readonly events: ReadonlyArray<AnswerEvent>
  /** Absent: more follows. */
  readonly end?: AnswerEnd
  /** In the form of OpenAI's chat dialect. */
  readonly logprobs?: unknown
  /**
   * The delta of a provider that speaks OpenAI's chat dialect, without the role, with every field that it wrote, for callers
   * of the chat API. Absent: `events` say all.
   */
  readonly native?: Readonly<Record<string, unknown>>
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
   * Fields of a chat that are for the router, and that its server knows as well, such as `plugins`: it gets those that the
   * router does not do itself in `ChatCall.serverFields`. Absent: none.
   */
  readonly serverFields?: ReadonlyArray<string>
  /**
   * The dialect that it speaks to its provider, or to which of its models, by the model's name at the upstream. A caller's
   * request in that dialect reaches the provider as it was written (`ChatCall.native`). Absent: OpenAI's chat dialect.
   */
  readonly dialect?: Dialect | ((model: string) => Dialect)
  /**
   * The family whose signatures and encrypted reasoning it reads, such as `anthropic`; a function gets the model's name
   * at the upstream. Reasoning of other families is left out of its requests. Absent or undefined: messages are passed
   * on as they are.
   */
  readonly reasoningFamily?: string | ((model: string) => string | undefined)
  /**
   * Whether a model, by its name at the upstream, refuses to continue a conversation that ends with the beginning of its
   * answer, as Claude does from 4.6. Absent: it does not.
   */
  readonly refusesPrefill?: (model: string) => boolean
  /** The maximum usage of the call, which is reserved before it. */
  readonly estimateWorstCase: (call: ChatCall) => TokenUsage
}
