/** Parts of answers that only Google's API has: code that ran, and parts of unknown kinds. */
import type { Part, TextPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { findText } from "../UntranslatableRequest.ts"
import { toCamelCase } from "./geminiFields.ts"

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
