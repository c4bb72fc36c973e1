/** Weighs options by the words they share with a text. */

/**
 * `exp` of the number of shared words, scaled so that the best option has the weight 1. A word of several options counts
 * for each of them in part, because a word that all options share does not distinguish them.
 */
export const computeOverlapWeights = (
  text: ReadonlySet<string>,
  options: ReadonlyArray<ReadonlySet<string>>
): ReadonlyArray<number> => {
  const owners = new Map<string, number>()
  for (const option of options) {
    for (const word of option) owners.set(word, (owners.get(word) ?? 0) + 1)
  }
  const shared = options.map((option) => {
    let sum = 0
    for (const word of option) if (text.has(word)) sum += 1 / (owners.get(word) ?? 1)
    return sum
  })
  const most = shared.reduce((self, that) => Math.max(self, that), 0)
  return shared.map((sum) => Math.exp(sum - most))
}
