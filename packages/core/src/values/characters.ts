/** Limits on characters, which are Unicode code points: an emoji is one, though it takes two places in a string. */
import * as Schema from "effect/Schema"

/** Stops counting beyond `most`. */
export const hasAtMostCharacters = (text: string, most: number): boolean => {
  if (text.length <= most) return true
  // A code point takes one place or two.
  if (text.length > 2 * most) return false
  let count = 0
  for (const _ of text) if (++count > most) return false
  return true
}

/** `Schema.isMaxLength` for strings, in characters. */
export const isMaxCharacters = (most: number) =>
  Schema.makeFilter<string>((text) => hasAtMostCharacters(text, most), {
    expected: `a value with a length of at most ${most}`,
    toJsonSchema: () => ({ maxLength: most })
  })
