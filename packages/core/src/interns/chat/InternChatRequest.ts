/** What callers say to an intern, as the wire spells it. Source: wire, InternChatCompletionRequest. */
import * as Schema from "effect/Schema"
import { isMaxCharacters } from "../../values/validation/maxCharacters.ts"

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
  /** Calls of tools that it repeats are not read. */
  Schema.Struct({ role: Schema.Literal("assistant"), content: Schema.optionalKey(Content) }),
  /** Answers a question of the intern. */
  Schema.Struct({ role: Schema.Literal("tool"), content: Content, tool_call_id: Schema.String })
])
export type InternChatMessage = typeof InternChatMessage.Type

export const InternChatRequest = Schema.Struct({
  /** The last one is the prompt. */
  messages: Schema.Array(InternChatMessage),
  stream: Schema.Literal(true).pipe(
    Schema.annotateKey({ messageMissingKey: "must be true, interns always stream" })
  ),
  /** Default: `self-drive`. */
  approval_mode: Schema.optionalKey(Schema.Literals(["manual", "self-drive"])),
  /** Of an earlier reply; needed to answer a question. One that nobody has used names a fresh one. */
  session_id: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), isMaxCharacters(256))),
  /** Accepted, and heeded by nobody: the intern has a model. */
  model: Schema.optionalKey(Schema.String)
})
export type InternChatRequest = typeof InternChatRequest.Type
