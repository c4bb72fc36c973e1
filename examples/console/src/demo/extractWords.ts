/** Extracts the significant words of a JSON value: text, keys and numbers at any depth. */

export const extractWords = (value: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  collect(value, found)
  return found
}

const collect = (value: unknown, found: Set<string>): void => {
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) collect(key, found)
      collect(inner, found)
    }
    return
  }
  if (typeof value !== "string" && typeof value !== "number") return
  for (const [word] of String(value)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    if (word.length > 2 && !stopWords.has(word)) found.add(word)
  }
}

/** These occur in every text, so they would make all texts overlap. */
const stopWords: ReadonlySet<string> = new Set(
  (
    "about all and any are because been but can does for from had has have her him his how into " +
    "its may not off one only our out she should such than that the their them then there these " +
    "they this too was were what when where which who why will with would yes you your"
  ).split(" ")
)
