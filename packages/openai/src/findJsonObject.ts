/** Finds the JSON object in a reply that may wrap it in prose or a code fence. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Limits the positions to try, so that a hostile reply cannot cost quadratic time. */
const maxAttempts = 16

/** Undefined if `text` has no JSON object. */
export const findJsonObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  let start = text.indexOf("{")
  for (let attempt = 0; attempt < maxAttempts && start !== -1; attempt++) {
    const end = findClosingBrace(text, start)
    const parsed = end === -1 ? Option.none() : parseObject(text.slice(start, end + 1))
    if (Option.isSome(parsed)) return parsed.value
    start = text.indexOf("{", start + 1)
  }
  return undefined
}

const parseObject = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
)

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
