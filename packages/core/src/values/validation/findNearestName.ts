/** Suggests the known name nearest to an unknown one. */

import { shorten } from "./text.ts"

/** Undefined when no name is near: at most a third of the letters may differ; case, hyphens and underscores do not count. */
export const findNearestName = (name: string, known: Iterable<string>): string | undefined => {
  // No name is that long, and callers choose it.
  if (name.length > maxComparedCharacters) return undefined
  const normalized = normalizeName(name)
  const letters = countLetters(normalized)
  let nearest: string | undefined
  let best = Math.max(1, Math.floor(normalized.length / 3))
  let compared = 0
  for (const candidate of known) {
    // A catalog may have a hundred thousand models, and the first ones say as much.
    if (++compared > maxComparedNames) break
    const other = normalizeName(candidate)
    const isWorse = (edits: number) => edits > best || (edits === best && nearest !== undefined)
    if (isWorse(boundEdits(letters, normalized, other))) continue
    const edits = editDistance(normalized, other, best)
    if (isWorse(edits)) continue
    nearest = candidate
    best = edits
  }
  return nearest
}

/** By the low bits of their codes: two letters that share a counter make the bound lower, not wrong. */
const countLetters = (name: string): Uint8Array => {
  const counts = new Uint8Array(letterCounters)
  for (let at = 0; at < name.length; at++) counts[name.charCodeAt(at) % letterCounters]! += 1
  return counts
}

/**
 * The least edits between two names: the letters of the longer one that the other lacks, in any position. Costs a tenth
 * of the distance itself. `letters`: the letters of `self`.
 */
const boundEdits = (letters: Uint8Array, self: string, that: string): number => {
  const left = letters.slice()
  let shared = 0
  for (let at = 0; at < that.length; at++) {
    const letter = that.charCodeAt(at) % letterCounters
    if (left[letter] === 0) continue
    left[letter]! -= 1
    shared += 1
  }
  return Math.max(self.length, that.length) - shared
}

const letterCounters = 128

/** The error message for an unknown name, with suggestions. */
export const describeUnknownName = (
  name: string,
  what: string,
  known: ReadonlyArray<string>
): string => `${shorten(name)} is no ${what}; ${suggestNames(name, known)}`

/** The nearest name as a question, or what there is. */
export const suggestNames = (name: string, known: ReadonlyArray<string>): string => {
  const nearest = findNearestName(name, known)
  if (nearest !== undefined) return `did you mean ${nearest}?`
  if (known.length <= maxShown) {
    return `there ${known.length === 1 ? "is" : "are"} ${known.join(", ")}`
  }
  if (name.length > maxComparedCharacters) return `there are ${known.length} of them`
  const normalized = normalizeName(name)
  const closest = known
    .map((candidate) => ({ candidate, edits: editDistance(normalized, normalizeName(candidate)) }))
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, maxSuggested)
  return `the closest are ${closest.map(({ candidate }) => candidate).join(", ")}`
}

const maxComparedCharacters = 200
const maxComparedNames = 10_000

/** Longer lists are shortened to the nearest names. */
const maxShown = 40
const maxSuggested = 5

const normalizeName = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "")

/**
 * Insertions, deletions, substitutions and swaps of adjacent letters (optimal string alignment). Above `limit`, it is
 * some number above `limit`.
 */
export const editDistance = (self: string, that: string, limit = Infinity): number => {
  const width = that.length + 1
  let before = new Uint32Array(width)
  let above = Uint32Array.from({ length: width }, (_, column) => column)
  let current = new Uint32Array(width)
  let leastAbove = 0
  for (let row = 1; row <= self.length; row++) {
    const letter = self.charCodeAt(row - 1)
    const lastLetter = self.charCodeAt(row - 2)
    let edits = row
    let least = row
    current[0] = row
    for (let column = 1; column < width; column++) {
      const other = that.charCodeAt(column - 1)
      const replaced = above[column - 1]! + (letter === other ? 0 : 1)
      edits = Math.min(edits + 1, above[column]! + 1, replaced)
      if (lastLetter === other && letter === that.charCodeAt(column - 2)) {
        edits = Math.min(edits, before[column - 2]! + 1)
      }
      current[column] = edits
      if (edits < least) least = edits
    }
    // A swap reaches back by one row.
    if (least > limit && leastAbove > limit) return limit + 1
    ;[before, above, current] = [above, current, before]
    leastAbove = least
  }
  return above[that.length]!
}
