/**
 * How long in milliseconds a step waits that found no room, for the `times`th time: up to twice as long each time,
 * never longer than a minute; `random` is from 0 up to 1.
 */
export const deferMillis = (times: number, random: number): number =>
  1_000 * (1 + Math.floor(random * Math.min(2 ** times, longestSeconds)))

const longestSeconds = 60
