/** Text that others chose, as a column to look it up by: the same text for the same key, and for no other. */

/** Postgres keeps no NUL, and UTF-8 has no half of a surrogate pair. */
export const toKeyText = (text: string): string =>
  text.replaceAll(
    unsupportedChars,
    (char) => `\\${char.charCodeAt(0).toString(16).padStart(4, "0")}`
  )

const unsupportedChars = /[\0\\]|\p{Surrogate}/gu
