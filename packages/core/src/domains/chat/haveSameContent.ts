/** Whether two answers of a chat say the same. */
import * as Equal from "effect/Equal"
import type { ChatChoice } from "../../engine/upstreams/ChatCapability.ts"

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
  const { parts } = choice.answer
  const calls = parts.filter((part) => part.type === "call")
  if (calls.length > 0) {
    return calls.map(({ arguments: given, name }) => ({ name, arguments: toComparable(given) }))
  }
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("")
  return text.trim() === "" ? undefined : toComparable(text)
}

const toComparable = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text.trim().replaceAll(/\s+/g, " ")
  }
}
