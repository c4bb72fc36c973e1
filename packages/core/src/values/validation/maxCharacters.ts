/** Limits in characters, which are Unicode code points; an emoji is one character but two code units. */
import * as Schema from "effect/Schema"

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
