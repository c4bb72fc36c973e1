/** A chat as a caller asks for it, in OpenAI's dialect. */
import * as Schema from "effect/Schema"
import { Preferences } from "../routing/Preferences.ts"
import { EndUser } from "../values/ids/EndUser.ts"
import { SessionId } from "../values/ids/SessionId.ts"
import { Trace } from "../values/Trace.ts"
import type { ChatParameters } from "./ChatParameters.ts"
import type { ChatRequestMessage } from "./ChatRequestMessage.ts"

const Tokens = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Any further field, such as `getContent` or `tool_calls`, goes to the provider as it is. */
const Message = Schema.StructWithRest(Schema.Struct({ role: Schema.NonEmptyString }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

/**
 * Every key it does not name is a parameter of the model, such as `temperature` or `tools`, and goes to the
 * provider as it is, where that supports it.
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
    /** Whether the answer comes piece by piece, as server-sent events; default: false. */
    stream: Schema.optionalKey(Schema.Boolean),
    /** `include_usage` is heeded by nobody: the usage is told always. */
    stream_options: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    /** The most tokens the answer may have; the smaller one counts. */
    max_tokens: Schema.optionalKey(Tokens),
    max_completion_tokens: Schema.optionalKey(Tokens),
    session_id: Schema.optionalKey(SessionId),
    trace: Schema.optionalKey(Trace),
    user: Schema.optionalKey(EndUser)
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** A request as it was read: of what is the model's to heed only the names are known. */
export type DecodedChatRequest = typeof ChatRequest.Type

/**
 * A chat as it is asked for in process: a parameter that is misspelt is a type error. The wire takes the same, but for
 * `extra`, whose entries stand beside the others there.
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
export interface ChatRequest extends ChatParameters {
  /** At least one. */
  readonly messages: ReadonlyArray<ChatRequestMessage>
  /** Default: the first of `models`, else the workspace's `default_text_model`. */
  readonly model?: string | null
  /** The models to fall back to, in order. */
  readonly models?: ReadonlyArray<string> | null
  readonly provider?: Preferences | null
  /** Without effect in process: `makeChatShape` answers whole, `streamChat` piece by piece. */
  readonly stream?: boolean | null
  /** For records and spans, at most 256 characters; no provider is told. */
  readonly session_id?: string | null
  readonly trace?: Trace | null
  /** The caller's own id of its end user, at most 256 characters; no provider is told. */
  readonly user?: string | null
  /** Parameters of a provider's own, by name; its endpoints list them in `otherParameters`. */
  readonly extra?: Readonly<Record<string, unknown>>
}
