/** Reads a request to Anthropic's Messages API that consists of texts, without translating it. */
import { isObject } from "../../values/json/guards.ts"
import { PlainTexts } from "../PlainTexts.ts"
import { getRole } from "./parseMessagesTurns.ts"

/** Undefined for a request with other content, such as media, calls or thinking, and for one that may be invalid. */
export const readMessagesTexts = ({
  messages,
  system
}: Readonly<Record<string, unknown>>): PlainTexts | undefined => {
  if (!Array.isArray(messages)) return undefined
  const texts = new PlainTexts()
  if (system !== undefined && !addContent(texts, "system", system)) return undefined
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index]
    const role = isObject(message) ? getRole(message["role"]) : undefined
    if (!isObject(message) || role === undefined) return undefined
    if (!addContent(texts, role, message["content"])) return undefined
  }
  return texts
}

/** Whether the content is a text, or blocks of text. */
const addContent = (
  texts: PlainTexts,
  role: "assistant" | "system" | "user",
  content: unknown
): boolean => {
  if (typeof content === "string") {
    texts.add(role, 1, /\S/.test(content))
    return true
  }
  if (!Array.isArray(content) || content.length === 0) return false
  let saysSomething = false
  for (let at = 0; at < content.length; at++) {
    const block: unknown = content[at]
    if (!isObject(block) || block["type"] !== "text") return false
    const { text } = block
    if (typeof text !== "string") return false
    saysSomething ||= /\S/.test(text)
  }
  texts.add(role, content.length, saysSomething)
  return true
}
