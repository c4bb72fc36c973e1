/** Reads the content of an answer that is a list of parts, where the dialect promises one text. */
import { isObject, toList } from "../../values/json/guards.ts"

type Json = Readonly<Record<string, unknown>>

/** Whether it is neither a text nor nothing. */
export const hasParts = (content: unknown): boolean =>
  typeof content === "object" && content !== null

/**
 * Converts a list of content parts to the equivalent fields of the message. Mistral writes its thoughts as parts
 * (https://docs.mistral.ai/capabilities/reasoning). Pictures get a field of their own, and parts of unknown types are
 * kept in `provider_parts`.
 */
export const readContent = (content: unknown): Json => {
  let text = ""
  let reasoning = ""
  let refusal = ""
  const images: Array<Json> = []
  const others: Array<unknown> = []
  for (const part of Array.isArray(content) ? toList(content) : [content]) {
    if (typeof part === "string") text += part
    else if (!isObject(part)) continue
    else if (part["type"] === "thinking" || part["type"] === "reasoning") {
      reasoning += joinTexts(part["thinking"] ?? part["reasoning"] ?? part["text"])
    } else if (part["type"] === "refusal") refusal += joinTexts(part["refusal"])
    else if (part["type"] === "image_url") images.push(part)
    else if (typeof part["text"] === "string") text += part["text"]
    else others.push(part)
  }
  return {
    content: text === "" ? null : text,
    ...(reasoning === "" ? undefined : { reasoning }),
    ...(refusal === "" ? undefined : { refusal }),
    ...(images.length === 0 ? undefined : { images }),
    ...(others.length === 0 ? undefined : { provider_parts: others })
  }
}

/** A text, or the texts of parts. */
const joinTexts = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return value.map(joinTexts).join("")
  return isObject(value) && typeof value["text"] === "string" ? value["text"] : ""
}
