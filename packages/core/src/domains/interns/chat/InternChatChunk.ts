/** The streamed chunks of an answer. */
import * as Schema from "effect/Schema"

/** The tokens a turn used. */
export const InternChatUsage = Schema.Struct({
  prompt_tokens: Schema.Int,
  completion_tokens: Schema.Int,
  total_tokens: Schema.Int,
  /** USD; omitted when a price is unknown. */
  cost: Schema.optionalKey(Schema.Finite),
  prompt_tokens_details: Schema.optionalKey(Schema.Struct({ cached_tokens: Schema.Int }))
})
export type InternChatUsage = typeof InternChatUsage.Type

const InputToolCall = Schema.Struct({
  index: Schema.Int,
  id: Schema.String,
  type: Schema.Literal("function"),
  function: Schema.Struct({
    name: Schema.Literal("openrouter.provide_input"),
    /** JSON text. */
    arguments: Schema.String
  })
})

/** One event of an intern's streamed answer. */
export const InternChatChunk = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("chat.completion.chunk"),
  /** Seconds since the epoch; the same in every chunk. */
  created: Schema.Int,
  model: Schema.String,
  /** Empty in the last chunk, which has `session_id` and `usage`. */
  choices: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      delta: Schema.Struct({
        role: Schema.optionalKey(Schema.Literal("assistant")),
        content: Schema.optionalKey(Schema.String),
        reasoning: Schema.optionalKey(Schema.String),
        /** One entry when the intern asks a question. */
        tool_calls: Schema.optionalKey(Schema.Array(InputToolCall))
      }),
      finish_reason: Schema.NullOr(Schema.Literals(["stop", "tool_calls", "error"]))
    })
  ),
  session_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Null after a question, and when the host reports none. */
  usage: Schema.optionalKey(Schema.NullOr(InternChatUsage))
})
export type InternChatChunk = typeof InternChatChunk.Type
