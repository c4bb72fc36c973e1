/** The keys of limited processes: each test takes some that nobody has used. */
export const commonLimit = { requests: 20, windowMillis: 600_000 }
export const ownLimit = { requests: 7, windowMillis: 600_000 }

export const makeKeys = (limit: "common" | "own"): ReadonlyArray<string> =>
  Array.from({ length: 100 }, (_, i) => `sk-limited-${limit}-${i}`)
