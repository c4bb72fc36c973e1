/** The request body of a chat, in OpenAI's dialect. */
import * as Schema from "effect/Schema"
import { Preferences } from "../../../routing/Preferences.ts"
import { EndUser, SessionId } from "../../../values/ids/Ids.ts"
import { Trace } from "../../../values/Trace.ts"
import type { ChatParameters, ServerFields } from "./ChatParameters.ts"
import type { ChatRequestMessage } from "./ChatRequestMessage.ts"

const Tokens = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Every other field, such as `content` or `tool_calls`, is passed through to the provider. */
const Message = Schema.StructWithRest(Schema.Struct({ role: Schema.NonEmptyString }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

/**
 * Every other key is a parameter of the model, such as `temperature` or `tools`. It is passed through to endpoints
 * that support it.
 */
export const ChatRequest = Schema.StructWithRest(
  Schema.Struct({
    /** At least one. */
    messages: Schema.Array(Message).check(Schema.isMinLength(1)),
    /** Default: the first of `models`, else the workspace's `default_text_model`. */
    model: Schema.optionalKey(Schema.NonEmptyString),
    /** The models to fall back to, in order. */
    models: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
    provider: Schema.optionalKey(Preferences),
    /** Whether the answer is streamed as server-sent events; default: false. */
    stream: Schema.optionalKey(Schema.Boolean),
    /** `include_usage` has no effect: the last chunk always has the usage. */
    stream_options: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    /** The maximum length of the answer in tokens; of this and `max_completion_tokens` the smaller one applies. */
    max_tokens: Schema.optionalKey(Tokens),
    max_completion_tokens: Schema.optionalKey(Tokens),
    session_id: Schema.optionalKey(SessionId),
    trace: Schema.optionalKey(Trace),
    user: Schema.optionalKey(EndUser)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

const { messages: _, ...fields } = ChatRequest.schema.fields

/** The fields of the router in a chat that came by another API, by their names here. */
export const ChatFields = Schema.StructWithRest(Schema.Struct(fields), ChatRequest.records)

/** The decoded fields of the router; the values of the model's parameters, which stand beside them, are unchecked. */
export type ChatFields = typeof ChatFields.Type

/**
 * A chat request in process: a misspelt parameter is a type error. In the HTTP API, the entries of `extra` are
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
  /** Without effect in process: `chat` answers as a whole, `streamChat` in chunks. */
  readonly stream?: boolean | null
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
