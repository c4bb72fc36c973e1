/** Requests of the demo a second, at a time in milliseconds: waves of seven minutes, with a rush every quarter of an hour. */
export const computeRate = (now: number): number => {
  const minutes = now / 60_000
  const wave = 1 + 0.6 * Math.sin((2 * Math.PI * minutes) / 7)
  return wave * (minutes % 15 < 1 ? 2.5 : 1)
}
