/** The request body of a chat, in OpenAI's dialect. */
import type { ChatParameters, ServerFields } from "./ChatParameters.ts"
import type { ChatRequestMessage } from "./ChatRequestMessage.ts"
import type { Preferences } from "./Preferences.ts"
import type { Trace } from "./Trace.ts"

/**
 * A chat request: a misspelt parameter is a type error. In the HTTP API, the entries of `extra` are
 * top-level fields.
 *
 * ```ts
 * const request = {
 *   model: "openai/gpt-5-mini",
 *   messages: [{ role: "user", content: "Is it calm at sea?" }],
 *   temperature: 0,
 *   extra: { chat_template_kwargs: { enable_thinking: false } }
 * } satisfies ChatRequest
 * ```
 */
export interface ChatRequest extends ChatParameters, ServerFields {
  /** At least one. */
  readonly messages: ReadonlyArray<ChatRequestMessage>
  /** Default: the first of `models`, else the workspace's `default_text_model`. */
  readonly model?: string | null
  /** The models to fall back to, in order. */
  readonly models?: ReadonlyArray<string> | null
  readonly provider?: Preferences | null
  /** What OpenAI stores with the chat, if `store` is true. */
  readonly metadata?: Readonly<Record<string, string>> | null
  /** For records and spans, at most 256 characters; not sent to providers. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; not sent to providers. */
  readonly user?: string | null
  /** Provider-specific parameters by name; endpoints list them in `otherParameters`. */
  readonly extra?: Readonly<Record<string, unknown>>
}
