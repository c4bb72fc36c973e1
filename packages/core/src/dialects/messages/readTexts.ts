/** Reads a request to Anthropic's Messages API that consists of texts, without translating it. */
import { isObject } from "../../values/json/guards.ts"
import { PlainTexts, type TextParts } from "../PlainTexts.ts"
import { getRole } from "./parseMessagesTurns.ts"

/** Undefined for a request with other content, such as media, calls or thinking, and for one that may be invalid. */
export const readMessagesTexts = ({
  messages,
  system
}: Readonly<Record<string, unknown>>): PlainTexts | undefined => {
  if (!Array.isArray(messages)) return undefined
  const texts = new PlainTexts()
  if (system !== undefined && !texts.addContent("system", system, blocks)) return undefined
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index]
    const role = isObject(message) ? getRole(message["role"]) : undefined
    if (!isObject(message) || role === undefined) return undefined
    if (!texts.addContent(role, message["content"], blocks)) return undefined
  }
  return texts
}

const blocks: TextParts = { types: new Set(["text"]), mayBeEmpty: true }
