/** Reads JSON of somebody else, text after text, without what was sent to him in confidence. */
import { spellingsOfAll } from "./spellingsOf.ts"

/**
 * What it returns parses like `JSON.parse`, and throws as it does. The same as `withoutSecrets` before each
 * parsing, but the spellings are looked for once made, and short texts are not searched: a stream is thousands
 * of small ones.
 */
export const jsonWithoutSecrets = (secrets: ReadonlyArray<string>): ((text: string) => unknown) => {
  const spellings = spellingsOfAll(secrets)
  if (spellings.length === 0) return JSON.parse
  const shortest = Math.min(...spellings.map(({ length }) => length))

  const blank = (said: string): string =>
    said.length < shortest
      ? said
      : spellings.reduce((left, spelling) => left.replaceAll(spelling, "[redacted]"), said)

  const holdsOne = (value: unknown): boolean => {
    if (typeof value === "string") {
      return value.length >= shortest && spellings.some((spelling) => value.includes(spelling))
    }
    return typeof value === "object" && value !== null && Object.values(value).some(holdsOne)
  }

  const blanked = (value: unknown): unknown => {
    if (typeof value === "string") return blank(value)
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map(blanked)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, blanked(inner)]))
  }

  return (text) => {
    const plain = blank(text)
    const json: unknown = JSON.parse(plain)
    // Without an escape there is one way to write a character.
    return plain.includes("\\") && holdsOne(json) ? blanked(json) : json
  }
}
