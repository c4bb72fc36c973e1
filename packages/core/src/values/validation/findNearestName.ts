/** Suggests the known name nearest to an unknown one. */

/** Undefined when no name is near: at most a third of the letters may differ; case, hyphens and underscores do not count. */
export const findNearestName = (name: string, known: Iterable<string>): string | undefined => {
  const normalized = normalizeName(name)
  let nearest: string | undefined
  let best = Math.max(1, Math.floor(normalized.length / 3))
  for (const candidate of known) {
    const edits = editDistance(normalized, normalizeName(candidate))
    if (edits < best || (edits === best && nearest === undefined)) {
      nearest = candidate
      best = edits
    }
  }
  return nearest
}

/** The error message for an unknown name, with suggestions. */
export const describeUnknownName = (
  name: string,
  what: string,
  known: ReadonlyArray<string>
): string => {
  const nearest = findNearestName(name, known)
  if (nearest !== undefined) return `${name} is no ${what}; did you mean ${nearest}?`
  if (known.length <= maxShown) return `${name} is no ${what}; there are ${known.join(", ")}`
  const normalized = normalizeName(name)
  const closest = known
    .map((candidate) => ({ candidate, edits: editDistance(normalized, normalizeName(candidate)) }))
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, maxSuggested)
  return `${name} is no ${what}; the closest are ${closest.map(({ candidate }) => candidate).join(", ")}`
}

/** Longer lists are shortened to the nearest names. */
const maxShown = 40
const maxSuggested = 5

const normalizeName = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "")

/** Insertions, deletions, substitutions and swaps of adjacent letters (optimal string alignment). */
export const editDistance = (self: string, that: string): number => {
  let before: ReadonlyArray<number> = []
  let above = Array.from({ length: that.length + 1 }, (_, column) => column)
  for (let row = 1; row <= self.length; row++) {
    const current = [row]
    for (let column = 1; column <= that.length; column++) {
      const isSame = self[row - 1] === that[column - 1]
      const isSwap = self[row - 1] === that[column - 2] && self[row - 2] === that[column - 1]
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[column - 2] ?? 0) + 1 : Infinity
        )
      )
    }
    before = above
    above = current
  }
  return above[that.length] ?? 0
}
