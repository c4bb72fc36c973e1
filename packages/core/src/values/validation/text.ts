/** Texts that people write: how long they may be, and how they are shown. */
import * as Schema from "effect/Schema"

/**
 * C0 and C1 controls, line separators, and the characters that reorder text (https://www.unicode.org/reports/tr9/). A
 * terminal obeys the first two, and the last make a name read as another: https://trojansource.codes.
 */
const controls = String.raw`\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069`
const control = new RegExp(`[${controls}]`)
const everyControl = new RegExp(control, "g")

/** Writes control characters as in JSON, such as `\u001b`, so that the text stays on its line and in its order. */
export const escapeControls = (text: string): string =>
  control.test(text) ? text.replace(everyControl, escapeCharacter) : text

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** A check of names that callers choose and others read. */
export const isPlainText = Schema.makeFilter<string>((text) =>
  control.test(text) || !text.isWellFormed()
    ? "must not contain control characters, line breaks, halves of characters or characters that change the direction of text"
    : undefined
)

/** An ellipsis takes the place of the rest. */
export const shorten = (text: string, characters = maxRepeatedCharacters): string =>
  // A cut through a surrogate pair would leave half of it.
  text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`

/** Names that callers or guardrails choose, in any number and of any length, with commas between them. */
export const shortenList = (names: ReadonlyArray<string>): string =>
  shorten(names.map((name) => shorten(name)).join(", "), maxListCharacters)

/** Enough for every real name, and little enough for logs and errors. */
const maxRepeatedCharacters = 200
const maxListCharacters = 1_000

/** Stops counting beyond `limit`. */
export const hasAtMostCharacters = (text: string, limit: number): boolean => {
  if (text.length <= limit) return true
  // A code point has one or two code units.
  if (text.length > 2 * limit) return false
  let count = 0
  for (const _ of text) if (++count > limit) return false
  return true
}

/** `Schema.isMaxLength` for strings, in characters. */
export const isMaxCharacters = (limit: number) =>
  Schema.makeFilter<string>((text) => hasAtMostCharacters(text, limit), {
    expected: `a value with a length of at most ${limit}`,
    toJsonSchema: () => ({ maxLength: limit })
  })

const maxDescriptionCharacters = 4_096

/** At most 4,096 characters; null: none. */
export const Description = Schema.NullOr(
  Schema.String.check(isMaxCharacters(maxDescriptionCharacters))
)
