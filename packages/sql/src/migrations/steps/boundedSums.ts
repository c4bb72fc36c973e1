/**
 * Bounds sums of money at 2^61 - 1 nano-USD, over two billion USD, so that they fit 64 bits. A larger sum comes
 * from costs that an upstream made up, and SQLite may have stored it as an unreadable floating-point number.
 * Such spending is reset to 0, and such grants to the maximum.
 */
export const boundedSums = (): ReadonlyArray<string> => [
  `UPDATE spend SET credits = 0 WHERE credits > ${maxNanoUsd}`,
  `UPDATE spend SET byok = 0 WHERE byok > ${maxNanoUsd}`,
  `UPDATE counters SET settled = 0 WHERE settled > ${maxNanoUsd}`,
  `UPDATE grants SET granted = ${maxNanoUsd} WHERE granted > ${maxNanoUsd}`,
  `UPDATE grants SET endowed = ${maxNanoUsd} WHERE endowed > ${maxNanoUsd}`
]

const maxNanoUsd = "2305843009213693951"
