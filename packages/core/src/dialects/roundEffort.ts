/** Efforts of reasoning that a model does not know, as the nearest that it knows. */

/** From the least to the most. */
const ladder: ReadonlyArray<string> = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/**
 * Of two levels that are equally near, the lower one, which costs less. Who asks for some reasoning gets some where the
 * model knows more than `none`. `known` undefined or empty, or a word that is on no ladder: the effort as it is.
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
