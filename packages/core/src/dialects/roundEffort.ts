/** Efforts of reasoning that a model does not know, as the nearest that it knows. */

/** From the least to the most. */
const ladder: ReadonlyArray<string> = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/**
 * Rounds an effort to the nearest known one; of two equally near, to the lower one, which costs less. A request for
 * some reasoning is not rounded to `none` where the model has another effort. If `known` is undefined or empty, or a
 * word is on no ladder, the effort is returned unchanged.
 */
export const roundEffort = (effort: string, known: ReadonlyArray<string> | undefined): string => {
  if (known === undefined || known.length === 0 || known.includes(effort)) return effort
  const wanted = ladder.indexOf(effort)
  if (wanted === -1) return effort
  const thinking = known.filter((level) => level !== "none")
  let nearest: string | undefined
  let distance = Infinity
  for (const level of ladder) {
    if (!thinking.includes(level)) continue
    const away = Math.abs(ladder.indexOf(level) - wanted)
    if (away < distance) {
      nearest = level
      distance = away
    }
  }
  return nearest ?? thinking[0] ?? effort
}
