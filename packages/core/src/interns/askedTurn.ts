/** What of a request to an intern makes a turn, or what is wrong with it. */
import * as Result from "effect/Result"
import { InvalidRequest } from "../values/RequestErrors.ts"
import type { InternChatMessage, InternChatRequest } from "./InternChatRequest.ts"
import type { AskedTurn, InternMessage, InternPrompt } from "./InternTurn.ts"

/** Source: wire, InternChatUserMessage. In UTF-16, as lengths are elsewhere. */
const longestPrompt = 32_000

export const askedTurn = ({
  approval_mode,
  messages,
  session_id
}: InternChatRequest): Result.Result<AskedTurn, InvalidRequest> => {
  const at = messages.length - 1
  const last = messages[at]
  if (last === undefined) return invalid(["messages"], "must have at least one message")
  const text = textOf(last)
  if (text === "") return invalid(["messages", at, "content"], "must have a text")
  let prompt: InternPrompt
  if (last.role === "user") {
    if (text.length > longestPrompt) {
      return invalid(
        ["messages", at, "content"],
        `must have at most ${longestPrompt} characters, got ${text.length}`
      )
    }
    prompt = { role: "user", text }
  } else if (last.role === "tool") {
    if (session_id === undefined) {
      return invalid(["session_id"], "missing; a tool message answers a question of a session")
    }
    prompt = { role: "tool", text, question: last.tool_call_id }
  } else {
    return invalid(["messages", at, "role"], "the last message must be of a user or a tool")
  }
  return Result.succeed({
    prompt,
    earlier: messages
      .slice(0, at)
      .map((message): InternMessage => ({ role: message.role, text: textOf(message) })),
    ...(session_id === undefined ? undefined : { session: session_id }),
    approval: approval_mode ?? "self-drive"
  })
}

const textOf = ({ content }: InternChatMessage): string => {
  if (content === null || content === undefined) return ""
  return typeof content === "string" ? content : content.map(({ text }) => text).join("")
}

const invalid = (path: ReadonlyArray<string | number>, problem: string) =>
  Result.fail(new InvalidRequest({ path, problem }))
