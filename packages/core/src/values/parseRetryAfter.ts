/** Parses the retry delay of a response. */

/** `retry-after-ms`, else `Retry-After` in seconds or as a date; milliseconds from now. */
export const parseRetryAfter = (
  headers: Readonly<Record<string, string | undefined>>,
  nowMillis: number
): number | undefined => {
  const millis = headers["retry-after-ms"]
  if (millis !== undefined && delayPattern.test(millis)) return Number(millis)
  const value = headers["retry-after"]
  if (value === undefined) return undefined
  if (delayPattern.test(value)) return Number(value) * 1000
  const date = weekdayPattern.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMillis)
}

/** Short enough to stay finite. */
const delayPattern = /^\d{1,12}(?:\.\d{1,12})?$/

/** Every HTTP date begins with one; `Date.parse` alone takes `-5` for a date. */
const weekdayPattern = /^(?:mon|tue|wed|thu|fri|sat|sun)/i
