/** Parses a chat request into a turn. */
import * as Result from "effect/Result"
import { failInvalid } from "../../../routing/parseRequest.ts"
import type { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import type { InternChatMessage, InternChatRequest } from "./InternChatRequest.ts"
import type { InternTurnRequest, InternMessage, InternPrompt } from "./InternTurn.ts"

/** UTF-16 code units. */
const maxPromptLength = 32_000

export const parseTurn = ({
  approval_mode,
  messages,
  session_id
}: InternChatRequest): Result.Result<InternTurnRequest, InvalidRequest> => {
  const at = messages.length - 1
  const last = messages[at]
  if (last === undefined) return failInvalid(["messages"], "must have at least one message")
  const text = toText(last)
  if (text === "") return failInvalid(["messages", at, "content"], "must have a text")
  let prompt: InternPrompt
  if (last.role === "user") {
    if (text.length > maxPromptLength) {
      return failInvalid(
        ["messages", at, "content"],
        `must have at most ${maxPromptLength} characters, got ${text.length}`
      )
    }
    prompt = { role: "user", text }
  } else if (last.role === "tool") {
    if (session_id === undefined) {
      return failInvalid(["session_id"], "missing; a tool message answers a question of a session")
    }
    prompt = { role: "tool", text, questionId: last.tool_call_id }
  } else {
    return failInvalid(["messages", at, "role"], "the last message must be of a user or a tool")
  }
  return Result.succeed({
    prompt,
    history: messages
      .slice(0, at)
      .map((message): InternMessage => ({ role: message.role, text: toText(message) })),
    ...(session_id === undefined ? undefined : { session: session_id }),
    approval: approval_mode ?? "self-drive"
  })
}

const toText = ({ content }: InternChatMessage): string => {
  if (content === null || content === undefined) return ""
  return typeof content === "string" ? content : content.map(({ text }) => text).join("")
}
