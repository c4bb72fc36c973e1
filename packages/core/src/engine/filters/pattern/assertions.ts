/** What assertions see at a place of a text. */
import type { Assertion } from "./parsePattern.ts"

export const isWord = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) ||
  (unit >= 65 && unit <= 90) ||
  (unit >= 48 && unit <= 57) ||
  unit === 95

/** Where characters of words begin, and where they end. */
export const wordEdges = [48, 58, 65, 91, 95, 96, 97, 123]

/** `context`: whether a character of a word is before (1) and after (2), and whether it is the start (4) and the end (8). */
export const holds = (assertion: Assertion, context: number): boolean => {
  if (assertion === "start") return (context & 4) !== 0
  if (assertion === "end") return (context & 8) !== 0
  const isBoundary = ((context & 1) !== 0) !== ((context & 2) !== 0)
  return isBoundary === (assertion === "word")
}
