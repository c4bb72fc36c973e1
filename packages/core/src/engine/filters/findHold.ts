/** Where in the end of a growing text something may begin that more text completes. */
import type { ContentFilter } from "./FilterRule.ts"

/** A text longer than that is not held back, so that a stream goes on. */
const maxHeld = 4_096
/** Numbers are written in groups; the longest are account numbers. */
const maxGroups = 12
const maxNumber = 48

/** Only one word of a text may be something without spaces; the length of the text: nothing may begin. */
export const findHold = (text: string, filters: ReadonlyArray<ContentFilter>): number => {
  let hold = text.length
  for (const filter of filters) {
    if (hold === 0) break
    hold = Math.min(hold, filter.findHold?.(text) ?? findBuiltinHold(text, filter.name))
  }
  return Math.max(hold, text.length - maxHeld)
}

const inOneWord: ReadonlySet<string> = new Set(["email", "ip-address"])

const findBuiltinHold = (text: string, name: string): number => {
  let start = findWord(text, text.length)
  if (name === "secrets") {
    const key = text.lastIndexOf("-----BEGIN")
    return key === -1 || text.includes("-----END", key) ? start : Math.min(start, key)
  }
  if (inOneWord.has(name)) return start
  for (let groups = 0; groups < maxGroups && start > 0; groups++) {
    const before = findWord(text, start - 1)
    const word = text.slice(before, start - 1)
    if (text.length - before > maxNumber || !/\d|^[A-Z]{1,4}$/.test(word)) break
    start = before
  }
  return start
}

/** The beginning of the word that ends at `end`. */
const findWord = (text: string, end: number): number => {
  let start = end
  while (start > 0 && end - start < maxHeld && !/\s/.test(text[start - 1]!)) start--
  return start
}
