/** Reads a request to the Responses API that consists of texts, without translating it. */
import { isObject } from "../../values/json/guards.ts"
import { PlainTexts, type TextParts } from "../PlainTexts.ts"
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
  if (typeof input === "string") return texts.addContent("user", input, parts) ? texts : undefined
  if (!Array.isArray(input)) return undefined
  for (let index = 0; index < input.length; index++) {
    const item: unknown = input[index]
    if (!isObject(item) || (item["type"] ?? "message") !== "message") return undefined
    const role = roles.get(item["role"])
    if (role === undefined || !texts.addContent(role, item["content"], parts)) return undefined
  }
  return texts
}

const roles: ReadonlyMap<unknown, "assistant" | "system" | "user"> = new Map([
  ["assistant", "assistant"],
  ["developer", "system"],
  ["system", "system"],
  ["user", "user"]
])

const parts: TextParts = { types: textTypes, mayBeEmpty: false }
