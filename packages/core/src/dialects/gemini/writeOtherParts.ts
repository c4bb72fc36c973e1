/** Parts of answers for which chat has no place: media other than pictures, code that ran, and what is not known yet. */
import type { Part, TextPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/isObject.ts"
import { writePart } from "../chat/writeContent.ts"
import { findText } from "../readField.ts"
import { type Json, toCamelCase } from "./geminiFields.ts"

/** Code that the provider ran, or its output, as a block of Markdown; undefined: the part is neither. */
export const toCodeText = (part: Part): TextPart | undefined => {
  if (part.type !== "opaque" || !isObject(part.raw)) return undefined
  const { codeExecutionResult: result, executableCode: code } = toCamelCase(part.raw)
  if (isObject(code)) {
    const language = findText(code, "language")?.toLowerCase() ?? ""
    const isNamed = language !== "" && language !== "language_unspecified"
    return { type: "text", text: writeBlock(isNamed ? language : "", findText(code, "code") ?? "") }
  }
  if (!isObject(result)) return undefined
  const output = findText(result, "output") ?? findText(result, "outcome") ?? ""
  return { type: "text", text: writeBlock("", output) }
}

/** The fence is longer than any in the text. */
const writeBlock = (language: string, text: string): string => {
  const runs = (text.match(/`+/g) ?? []).map(({ length }) => length)
  const fence = "`".repeat(Math.max(2, ...runs) + 1)
  return `\n${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}\n`
}

/**
 * Fields of a message beside its content: `media` in the form of requests, and `provider_parts` as the provider wrote
 * them. Undefined: nothing. Drafts of pictures among the thoughts are left out.
 */
export const writeOtherParts = (parts: ReadonlyArray<Part>): Json | undefined => {
  const media: Array<Json> = []
  const others: Array<Json> = []
  for (const part of parts) {
    if (part.type === "audio" || part.type === "file" || part.type === "video") {
      media.push(...writePart(part))
    } else if (part.type === "opaque" && isObject(part.raw) && toCodeText(part) === undefined) {
      if (part.raw["thought"] !== true) others.push(part.raw)
    }
  }
  return media.length === 0 && others.length === 0
    ? undefined
    : {
        ...(media.length === 0 ? undefined : { media }),
        ...(others.length === 0 ? undefined : { provider_parts: others })
      }
}
