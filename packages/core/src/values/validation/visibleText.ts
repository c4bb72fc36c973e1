/** Control characters in texts of others: refused in names, escaped where they are printed. */
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
