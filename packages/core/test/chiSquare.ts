/** Pearson's chi-square test of counts, for tests of distributions with fixed seeds. */

const sum = (values: ReadonlyArray<number>): number =>
  values.reduce((total, each) => total + each, 0)

/** The statistic of counts against shares in proportion to `weights`. */
export const computeChiSquare = (
  counts: ReadonlyArray<number>,
  weights: ReadonlyArray<number>
): number => {
  const [all, total] = [sum(counts), sum(weights)]
  return counts.reduce((statistic, count, index) => {
    const expected = (all * weights[index]!) / total
    return statistic + (count - expected) ** 2 / expected
  }, 0)
}

/** What chance exceeds once in a thousand times, by Wilson and Hilferty's approximation. */
export const criticalChiSquare = (degrees: number): number => {
  const part = 2 / (9 * degrees)
  return degrees * (1 - part + 3.0902 * Math.sqrt(part)) ** 3
}
