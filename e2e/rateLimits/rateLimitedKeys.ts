/** The keys of rate-limited processes; each test uses fresh ones. */
export const commonLimit = { requests: 20, windowMillis: 600_000 }
export const ownLimit = { requests: 7, windowMillis: 600_000 }

export const makeKeys = (limit: "common" | "own"): ReadonlyArray<string> =>
  Array.from({ length: 100 }, (_, i) => `sk-limited-${limit}-${i}`)
