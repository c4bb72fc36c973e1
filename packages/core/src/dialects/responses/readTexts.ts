/** Reads a request to the Responses API that consists of texts, without translating it. */
import { isObject } from "../../values/json/guards.ts"
import { PlainTexts } from "../PlainTexts.ts"
import { textTypes } from "./parseInput.ts"

/**
 * Undefined for a request with other content, such as media, calls or reasoning, with an empty text, which is no message
 * everywhere, and for one that may be invalid.
 */
export const readResponsesTexts = ({
  input,
  instructions
}: Readonly<Record<string, unknown>>): PlainTexts | undefined => {
  const texts = new PlainTexts()
  if (typeof instructions === "string" && instructions !== "") texts.add("system", 1, true)
  if (typeof input === "string") return addContent(texts, "user", input) ? texts : undefined
  if (!Array.isArray(input)) return undefined
  for (let index = 0; index < input.length; index++) {
    const item: unknown = input[index]
    if (!isObject(item) || (item["type"] ?? "message") !== "message") return undefined
    const role = roles.get(item["role"])
    if (role === undefined || !addContent(texts, role, item["content"])) return undefined
  }
  return texts
}

const roles: ReadonlyMap<unknown, "assistant" | "system" | "user"> = new Map([
  ["assistant", "assistant"],
  ["developer", "system"],
  ["system", "system"],
  ["user", "user"]
])

/** Whether the content is a text, or parts that are texts. */
const addContent = (
  texts: PlainTexts,
  role: "assistant" | "system" | "user",
  content: unknown
): boolean => {
  if (typeof content === "string") {
    texts.add(role, 1, /\S/.test(content))
    return content !== ""
  }
  if (!Array.isArray(content) || content.length === 0) return false
  let saysSomething = false
  for (let at = 0; at < content.length; at++) {
    const part: unknown = content[at]
    if (!isObject(part) || !textTypes.has(part["type"])) return false
    const { text } = part
    if (typeof text !== "string" || text === "") return false
    saysSomething ||= /\S/.test(text)
  }
  texts.add(role, content.length, saysSomething)
  return true
}
