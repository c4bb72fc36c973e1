/** Whether two answers of a chat say the same. */
import * as Equal from "effect/Equal"
import type { ChatChoice } from "../upstreams/ChatCapability.ts"
import { isObject } from "../values/json/isObject.ts"

/**
 * Compares the first choices: the names and arguments of the tools they call; else their texts, as JSON when both are, and
 * otherwise apart from blanks. Undefined when an answer has neither tools nor text.
 */
export const haveSameContent = (
  [one]: ReadonlyArray<ChatChoice>,
  [other]: ReadonlyArray<ChatChoice>
): boolean | undefined => {
  const [mine, theirs] = [toContent(one), toContent(other)]
  return mine === undefined || theirs === undefined ? undefined : Equal.equals(mine, theirs)
}

const toContent = (choice: ChatChoice | undefined): unknown => {
  if (choice === undefined) return undefined
  const { content, tool_calls: calls } = choice.message
  if (Array.isArray(calls) && calls.length > 0) return calls.map(toCall)
  return typeof content === "string" && content.trim() !== "" ? toComparable(content) : undefined
}

const toCall = (call: unknown): unknown => {
  const tool = isObject(call) ? call["function"] : undefined
  if (!isObject(tool)) return undefined
  const { arguments: given, name } = tool
  return { name, arguments: typeof given === "string" ? toComparable(given) : given }
}

const toComparable = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text.trim().replaceAll(/\s+/g, " ")
  }
}
