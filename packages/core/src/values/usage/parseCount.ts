/** Parses an untrusted count of tokens, of any provider. */

/** Undefined for a value that is not a whole number from 0. */
export const parseCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined
