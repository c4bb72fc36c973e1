/** A chat as a caller asks for it, in OpenAI's dialect. */
import * as Schema from "effect/Schema"
import { Preferences } from "../routing/Preferences.ts"
import { EndUser } from "../values/EndUser.ts"
import { SessionId } from "../values/SessionId.ts"
import { Trace } from "../values/Trace.ts"

const Tokens = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Any further field, such as `content` or `tool_calls`, goes to the provider as it is. */
const Message = Schema.StructWithRest(Schema.Struct({ role: Schema.NonEmptyString }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

/**
 * Every key it does not name is a parameter of the model, such as `temperature` or `tools`, and goes to the
 * provider as it is, where that supports it. Source: wire, POST /chat/completions.
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
export type ChatRequest = typeof ChatRequest.Type
