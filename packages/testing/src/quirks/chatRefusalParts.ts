/** What the refusals of the chat dialect have in common. */
import { type Condition, findValues } from "./Condition.ts"

export const invalid = (
  message: string,
  code: string | null = null,
  param: string | null = null
) => ({
  error: { message, type: "invalid_request_error", param, code }
})

export const forbidden = (...location: ReadonlyArray<string>) => ({
  object: "error",
  message: {
    detail: [
      { type: "extra_forbidden", loc: ["body", ...location], msg: "Extra inputs are not permitted" }
    ]
  },
  type: "invalid_request_error",
  param: null,
  code: null
})

export const assistant = (field: string): Condition => ({
  path: `messages[role=assistant].${field}`
})

/** A call in the current step, of a model that thought. */
export const callWithoutThought: Condition = (body) => {
  const { messages } = body as {
    readonly messages?: ReadonlyArray<Readonly<Record<string, unknown>>>
  }
  const thinks =
    (body as { readonly thinking?: { readonly type?: unknown } }).thinking?.type !== "disabled"
  return (
    thinks &&
    (messages ?? []).some(
      ({ reasoning_content, role, tool_calls }) =>
        role === "assistant" && Array.isArray(tool_calls) && typeof reasoning_content !== "string"
    )
  )
}

/** Models that think by default. */
export const forcesToolWhileThinking: Condition = (body) =>
  (findValues(body, "tool_choice")[0] === "required" ||
    findValues(body, "tool_choice.type")[0] !== undefined) &&
  findValues(body, "thinking.type")[0] !== "disabled"

export const call = (id: string) => ({
  id,
  type: "function",
  function: { name: "look", arguments: "{}" }
})

/** A request whose conversation has an earlier answer with these fields. */
export const afterAnswer = (fields: Readonly<Record<string, unknown>>) => ({
  messages: [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "", ...fields }
  ]
})

export const keepsThinking =
  "The thinking of earlier answers goes back as `reasoning_content`, from every API; a turn without thinking gets an empty text."
export const leftOut = "Left out."
