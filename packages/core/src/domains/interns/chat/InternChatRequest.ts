/** The request body of a chat with an intern. */
import * as Data from "effect/Data"
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "../../../values/validation/text.ts"

const Content = Schema.NullOr(
  Schema.Union([
    Schema.String,
    Schema.Array(Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }))
  ])
)

const makeMessageSchema = <const Role extends string>(role: Role) =>
  Schema.Struct({ role: Schema.Literal(role), content: Content })

export const InternChatMessage = Schema.Union([
  makeMessageSchema("user"),
  makeMessageSchema("system"),
  makeMessageSchema("developer"),
  /** Tool calls in it are ignored. */
  Schema.Struct({ role: Schema.Literal("assistant"), content: Schema.optionalKey(Content) }),
  /** The answer to a question of the intern. */
  Schema.Struct({ role: Schema.Literal("tool"), content: Content, tool_call_id: Schema.String })
])
export type InternChatMessage = typeof InternChatMessage.Type

/** A chat with an intern, such as `{ messages: [{ role: "user", content: "Hello" }] }`. */
export const InternChatRequest = Schema.Struct({
  /** The last message is the prompt. */
  messages: Schema.Array(InternChatMessage),
  stream: Schema.Literal(true).pipe(
    Schema.annotateKey({ messageMissingKey: "must be true, interns always stream" })
  ),
  /** Default: `self-drive`. */
  approval_mode: Schema.optionalKey(Schema.Literals(["manual", "self-drive"])),
  /** From an earlier answer; required to answer a question. An unknown id starts a session with that id. */
  session_id: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), isMaxCharacters(256))),
  /** Ignored: the intern has its own model. */
  model: Schema.optionalKey(Schema.String)
})
export type InternChatRequest = typeof InternChatRequest.Type

/** The reasons in the metadata of error responses. */
export type InternChatReason =
  | "attachment_failed"
  | "bad_request"
  | "busy"
  | "client_closed_request"
  | "interaction_not_pending"
  | "interaction_unknown"
  | "intern_not_ready"
  | "intern_rejected"
  | "intern_unreachable"
  | "not_found"
  | "payload_too_large"
  | "rate_limited"
  | "run_ended"
  | "stream_severed"
  | "timeout"
  | "turn_failed"

/** The intern does not answer, or its answer breaks off. */
export class InternChatFailure extends Data.TaggedError("InternChatFailure")<{
  readonly reason: InternChatReason
  /** Shown to callers up to 500 characters; must contain no secrets. */
  readonly problem: string
  /** Only read for `turn_failed`; the other reasons imply it. Default: false. */
  readonly isRetryable?: boolean
  /** For `busy` and `rate_limited`; default: 1000. */
  readonly retryAfterMillis?: number
}> {}
