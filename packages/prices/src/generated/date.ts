/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */

/** The day of the prices. */
export const date = "2026-07-01"
