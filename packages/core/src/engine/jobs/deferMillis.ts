/**
 * Milliseconds to defer a step that found no free slot for the `times`th time: doubles each time, with full jitter, up
 * to a minute. `random` is in [0, 1).
 */
export const deferMillis = (times: number, random: number): number =>
  1_000 * (1 + Math.floor(random * Math.min(2 ** times, longestSeconds)))

const longestSeconds = 60
