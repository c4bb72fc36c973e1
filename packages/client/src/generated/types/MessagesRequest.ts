/** The request body of Anthropic's Messages API: https://platform.claude.com/docs/en/api/messages. */
import type { Preferences } from "./Preferences.ts"
import type { ServerFields } from "./ChatParameters.ts"
import type { Trace } from "./Trace.ts"

type Json = Readonly<Record<string, unknown>>

/** How long a provider keeps the prompt up to here in its cache. */
interface CacheControl {
  readonly type: "ephemeral"
  readonly ttl?: "1h" | "5m"
}

/** Where an image or a document is. */
type MediaSource =
  | { readonly type: "base64"; readonly media_type: string; readonly data: string }
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "file"; readonly file_id: string }
  | { readonly type: "text"; readonly media_type: string; readonly data: string }
  | { readonly type: "content"; readonly content: string | ReadonlyArray<MessagesRequestBlock> }

interface Cacheable {
  readonly cache_control?: CacheControl | null
}

/**
 * A block of a message. The blocks of an answer are valid here; other blocks of Anthropic's API are passed on to it.
 */
export type MessagesRequestBlock =
  | (Cacheable & { readonly type: "text"; readonly text: string; readonly citations?: unknown })
  | (Cacheable & { readonly type: "image"; readonly source: MediaSource })
  | (Cacheable & {
      readonly type: "document"
      readonly source: MediaSource
      readonly title?: string | null
      readonly context?: string | null
      readonly citations?: Json | null
    })
  | (Cacheable & {
      readonly type: "search_result"
      readonly source: string
      readonly title: string
      readonly content: ReadonlyArray<Json>
    })
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | (Cacheable & {
      readonly type: "tool_use"
      readonly id: string
      readonly name: string
      readonly input: unknown
    })
  | (Cacheable & {
      readonly type: "tool_result"
      readonly tool_use_id: string
      readonly is_error?: boolean
      readonly content?: string | ReadonlyArray<MessagesRequestBlock>
    })

/** A message of the conversation. Results of tools stand in the message of the user that follows their calls. */
export interface MessagesRequestMessage {
  readonly role: "assistant" | "system" | "user"
  readonly content: string | ReadonlyArray<MessagesRequestBlock>
}

/** A function of the caller that the model may call. */
export interface MessagesTool extends Cacheable {
  readonly type?: "custom" | null
  readonly name: string
  readonly description?: string
  /** A JSON schema. */
  readonly input_schema: Json
  readonly strict?: boolean
}

/** A tool that the provider runs, such as `web_search_20250305`: only providers with this API can serve it. */
export interface MessagesServerTool {
  readonly type: `${string}_${number}`
  readonly name: string
  readonly [field: string]: unknown
}

/** Which tool the model calls. */
export type MessagesToolChoice = { readonly disable_parallel_tool_use?: boolean } & (
  | { readonly type: "any" | "auto" | "none" }
  | { readonly type: "tool"; readonly name: string }
)

/** How much the model thinks, and whether its thinking is shown. */
type MessagesThinking = { readonly display?: "omitted" | "summarized" | null } & (
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | { readonly type: "adaptive" | "between_tools" | "disabled" }
)

/**
 * A request to the Messages API. Null counts as absent.
 *
 * ```ts
 * const request = {
 *   model: "anthropic/claude-opus-5",
 *   max_tokens: 1_000,
 *   messages: [{ role: "user", content: "Is it calm at sea?" }]
 * } satisfies MessagesRequest
 * ```
 */
export interface MessagesRequest extends ServerFields {
  readonly messages: ReadonlyArray<MessagesRequestMessage>
  /** Default: the first of `models`, else the workspace's `default_text_model`. */
  readonly model?: string | null
  /** The maximum length of the answer in tokens, thinking included. Default: as long as the model can. */
  readonly max_tokens?: number | null
  readonly system?: string | ReadonlyArray<MessagesRequestBlock> | null
  readonly tools?: ReadonlyArray<MessagesServerTool | MessagesTool> | null
  readonly tool_choice?: MessagesToolChoice | null
  readonly thinking?: MessagesThinking | null
  readonly output_config?: {
    readonly effort?: "high" | "low" | "max" | "medium" | "xhigh" | null
    readonly format?: { readonly type: "json_schema"; readonly schema: Json } | null
    readonly task_budget?: Json | null
  } | null
  readonly stop_sequences?: ReadonlyArray<string> | null
  readonly temperature?: number | null
  readonly top_k?: number | null
  readonly top_p?: number | null
  readonly metadata?: { readonly user_id?: string | null } | null
  readonly service_tier?: "auto" | "standard_only" | (string & {}) | null
  readonly cache_control?: CacheControl | null
  readonly container?: string | Json | null
  readonly context_management?: Json | null
  readonly inference_geo?: string | null
  readonly mcp_servers?: ReadonlyArray<Json> | null
  readonly speed?: string | null
  /** The models to fall back to, in order. */
  readonly models?: ReadonlyArray<string> | null
  /** The same in Anthropic's form; not together with `models`. The value `default` is for Anthropic alone. */
  readonly fallbacks?: "default" | ReadonlyArray<{ readonly model: string }> | null
  readonly provider?: Preferences | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. Default: `metadata.user_id`. */
  readonly user?: string | null
  /** Further fields of Anthropic's API by name. */
  readonly extra?: Json
}
