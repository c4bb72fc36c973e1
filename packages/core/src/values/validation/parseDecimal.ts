/** Reads numbers in texts, such as those of URLs. */

/** `Number` also accepts `0x10` and `Infinity`. */
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** NaN for what is no decimal number. */
export const parseDecimal = (text: string): number =>
  decimal.test(text) ? Number(text) : Number.NaN
