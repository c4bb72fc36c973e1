/** Finds the JSON object in a reply that may wrap it in prose or a code fence. */
import { isObject } from "../../../values/json/guards.ts"

/** Limits the positions to try, so that a hostile reply cannot cost quadratic time. */
const maxAttempts = 16

/** Undefined if `text` has no JSON object. */
export const findJsonObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  let start = text.indexOf("{")
  for (let attempt = 0; attempt < maxAttempts && start !== -1; attempt++) {
    const end = findClosingBrace(text, start)
    const parsed = end === -1 ? undefined : parseObject(text.slice(start, end + 1))
    if (parsed !== undefined) return parsed
    start = text.indexOf("{", start + 1)
  }
  return undefined
}

const parseObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** The position of the matching brace, or -1. Braces in strings do not count. */
const findClosingBrace = (text: string, start: number): number => {
  let depth = 0
  let quoted = false
  for (let i = start; i < text.length; i++) {
    const character = text[i]
    if (character === '"') quoted = !quoted
    else if (quoted) {
      if (character === "\\") i++
    } else if (character === "{") depth++
    else if (character === "}" && --depth === 0) return i
  }
  return -1
}
