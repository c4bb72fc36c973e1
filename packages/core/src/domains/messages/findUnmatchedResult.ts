/** Finds a tool result that answers no call, which Anthropic's API refuses and other providers misread. */
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { isObject } from "../../values/json/guards.ts"
import { shorten } from "../../values/validation/text.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Every `tool_result` is in a message of the user, after the assistant's message with the `tool_use` of its id, and is
 * the only one: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
 */
export const findUnmatchedResult = (messages: unknown): InvalidRequest | undefined => {
  if (!Array.isArray(messages)) return undefined
  let open: Set<unknown> | undefined
  let answered: Set<unknown> | undefined
  let lastRole: unknown
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index]
    if (!isObject(message)) continue
    const { content, role } = message
    if (role === "assistant" && lastRole !== "assistant") {
      open = undefined
      answered = undefined
    }
    lastRole = role
    if (!Array.isArray(content)) continue
    for (let at = 0; at < content.length; at++) {
      const block: unknown = content[at]
      if (!isObject(block)) continue
      if (block["type"] === "tool_use" && role === "assistant") {
        ;(open ??= new Set()).add(block["id"])
      }
      if (block["type"] !== "tool_result") continue
      const problem = findProblem(block, role, open, answered)
      if (problem !== undefined) {
        return new InvalidRequest({ path: ["messages", index, "content", at], problem })
      }
      ;(answered ??= new Set()).add(block["tool_use_id"])
    }
  }
  return undefined
}

const findProblem = (
  { tool_use_id: id }: Json,
  role: unknown,
  open: ReadonlySet<unknown> | undefined,
  answered: ReadonlySet<unknown> | undefined
): string | undefined => {
  if (role !== "user") return "is a tool_result, which only messages of the user may have"
  const name = `the tool_use "${shorten(String(id))}"`
  if (answered?.has(id) === true) return `is a second tool_result of ${name}; each call has one`
  return open?.has(id) === true
    ? undefined
    : `is a tool_result of ${name}, which is not in the last message of the assistant before it`
}
