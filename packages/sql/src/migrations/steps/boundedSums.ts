/**
 * Sums of money are at most 2^61 - 1 nano-USD, more than two billion USD, so that they never leave 64 bits. One that
 * is beyond that holds what an upstream made up: on SQLite it may be a number with a fraction, which nothing can read.
 * What was spent begins again at nothing there; what was granted is as much as can be.
 */
export const boundedSums = (): ReadonlyArray<string> => [
  `UPDATE spend SET credits = 0 WHERE credits > ${maxNanoUsd}`,
  `UPDATE spend SET byok = 0 WHERE byok > ${maxNanoUsd}`,
  `UPDATE counters SET settled = 0 WHERE settled > ${maxNanoUsd}`,
  `UPDATE grants SET granted = ${maxNanoUsd} WHERE granted > ${maxNanoUsd}`,
  `UPDATE grants SET endowed = ${maxNanoUsd} WHERE endowed > ${maxNanoUsd}`
]

const maxNanoUsd = "2305843009213693951"
