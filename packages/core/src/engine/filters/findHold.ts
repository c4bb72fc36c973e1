/** Where in the end of a growing text something may begin that more text completes. */
import type { ContentFilter } from "./FilterRule.ts"

/** A text longer than that is not held back, so that a stream goes on. */
const maxHeld = 4_096
const step = 1_024
/** Numbers are written in groups; the longest are account numbers. */
const maxGroups = 12
const maxNumber = 48

/**
 * Only one word of a text may be something without spaces; the length of the text: nothing may begin. `begin`: where what is
 * held back already begins.
 */
export const findHold = (
  text: string,
  filters: ReadonlyArray<ContentFilter>,
  begin = 0
): number => {
  let hold = text.length
  for (const filter of filters) {
    if (hold <= begin) break
    hold = Math.min(
      hold,
      filter.findHold?.(text, begin) ?? findBuiltinHold(text, filter.name, begin)
    )
  }
  // A text without an end goes on in steps, because each is searched with what is held back behind it.
  return hold > begin || text.length - begin < maxHeld + step ? hold : text.length - maxHeld
}

const inOneWord: ReadonlySet<string> = new Set(["email", "ip-address"])

const findBuiltinHold = (text: string, name: string, begin: number): number => {
  let start = findWord(text, text.length, begin)
  if (name === "secrets") {
    const key = text.lastIndexOf("-----BEGIN")
    return key === -1 || text.includes("-----END", key) ? start : Math.min(start, key)
  }
  if (inOneWord.has(name)) return start
  for (let groups = 0; groups < maxGroups && start > begin; groups++) {
    // Two spaces may divide groups.
    const end = start - 1 > begin && isBoundary(text, start - 2) ? start - 2 : start - 1
    const before = findWord(text, end, begin)
    const word = text.slice(before, end)
    if (text.length - before > maxNumber || !/\d|^[A-Z]{1,4}$/.test(word)) break
    start = before
  }
  return start
}

/** The beginning of the word that ends at `end`, as far as it is not before `begin`. */
const findWord = (text: string, end: number, begin: number): number => {
  let start = end
  while (start > begin && !isBoundary(text, start - 1)) start--
  return start
}

const isBoundary = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit < 128 ? unit === 32 || (unit > 8 && unit < 14) : boundary.test(text[at]!)
}

/** Scripts that are written without spaces have no letters that look like those of a match. */
const boundary =
  /[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
