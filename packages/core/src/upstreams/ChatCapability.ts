/** What an upstream must be able to do to chat. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type * as Stream from "effect/Stream"
import type { NanoUsd } from "../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../values/usage/TokenUsage.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One chat as it reaches one endpoint of one upstream. */
export interface ChatCall {
  /** The model's name at the upstream. */
  readonly model: string
  /** In OpenAI's dialect, as the caller wrote them. From an untrusted source. */
  readonly messages: ReadonlyArray<ChatMessage>
  /**
   * Such as `temperature`, `max_tokens`, `tools` or `response_format`, by their names in OpenAI's dialect and as
   * the caller wrote them: only those the endpoint supports, or all where nobody says which.
   */
  readonly parameters: Readonly<Record<string, unknown>>
  /** UTF-8 bytes of messages and parameters as JSON; a token is never less than one of them. */
  readonly contentBytes: number
  /** The most tokens the answer may have, where the caller or the endpoint says so. */
  readonly maxOutputTokens?: number
  /** The customer's own credential, when this attempt runs on one. */
  readonly credential?: Redacted.Redacted
  /**
   * Hears what a stream used until then, as often as the upstream says so before its end; undefined: more was said
   * since. The last word counts where the answer breaks off.
   */
  readonly onUsage?: (usage: TokenUsage | undefined) => void
}

/** One message of a chat; its keys are data. */
export interface ChatMessage {
  readonly role: string
  readonly [field: string]: unknown
}

/** What an upstream says that it ran, in its own words; absent means that it does not say. */
export interface ChatServingInfo {
  readonly systemFingerprint?: string
  /** The tier it served the call on, such as `default` or `flex`. */
  readonly serviceTier?: string
}

/** What an upstream says of the whole of an answer; absent means that it does not say. */
export interface ChatMetadata extends ChatServingInfo {
  /** What the upstream calls this answer, for its support. */
  readonly id?: string
  readonly usage?: TokenUsage
  /** Further usage fields of the HTTP API, such as `prompt_tokens_details`. */
  readonly usageDetails?: Readonly<Record<string, unknown>>
  /** What the upstream itself says the call cost. */
  readonly cost?: NanoUsd
  /** The dated name of the model that answered. */
  readonly model?: string
}

/** A whole answer and what it used. */
export interface ChatReply extends ChatMetadata {
  /** One for each answer asked for; at least one. */
  readonly choices: ReadonlyArray<ChatChoice>
}

/** One answer of a chat. */
export interface ChatChoice {
  readonly index: number
  /** `role`, `getContent`, `tool_calls` and whatever else the upstream answers with. */
  readonly message: ChatMessage
  /** Such as `stop`, `length`, `tool_calls` or `content_filter`. */
  readonly finishReason: string | null
  /** The same as the maker of the answer calls it, where the upstream says that besides; absent: as `finishReason`. */
  readonly nativeFinishReason?: string
  readonly logprobs?: unknown
}

/** A part of an answer. One that carries nothing but the role is left out: it is no first token. */
export interface ChatDeltaEvent extends ChatServingInfo {
  readonly type: "delta"
  readonly choices: ReadonlyArray<ChatDelta>
}

/** One event of a chat that is streamed. */
export type ChatEvent =
  | ChatDeltaEvent
  /** The last event of every stream that is whole. */
  | ({ readonly type: "end" } & ChatMetadata)

/** One piece of a choice. */
export interface ChatDelta {
  readonly index: number
  /** `getContent`, `reasoning`, `tool_calls` and whatever else the upstream sends, without the role. */
  readonly delta: Readonly<Record<string, unknown>>
  readonly finishReason: string | null
  readonly nativeFinishReason?: string
  readonly logprobs?: unknown
}

/**
 * Makes each request once: retries and fallbacks belong to the router alone. An interruption must abort what is
 * in flight. What an upstream reports inside a 200, an error event included, is an `UpstreamFailure`.
 */
export interface ChatCapability {
  readonly complete: (
    call: ChatCall
  ) => Effect.Effect<ChatReply, UpstreamFailure, HttpClient.HttpClient>
  /**
   * The same, piece by piece. A stream that the upstream breaks off ends without `end`; the core makes a failure
   * of that, and keeps the deadlines between events.
   */
  readonly stream: (
    call: ChatCall
  ) => Stream.Stream<ChatEvent, UpstreamFailure, HttpClient.HttpClient>
  /**
   * It runs on the host's own credential alone and does not heed `credential` of a call, so that no
   * customer's is used there. Absent: it heeds it.
   */
  readonly ignoresCredentials?: true
  /**
   * It refuses a call with a parameter that its model does not take, and never ignores one: an endpoint without a
   * list of its own then satisfies `require_parameters`. Absent: it may ignore some.
   */
  readonly checksParameters?: true
  /** The most the call can use; what a budget reserves before it is made. */
  readonly estimateWorstCase: (call: ChatCall) => TokenUsage
}
