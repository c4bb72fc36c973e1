/** A time in a request: ISO 8601 with seconds and a time zone. */
import * as Schema from "effect/Schema"

export const IsoDateTime = Schema.String.check(
  Schema.makeFilter(
    (text) => isIsoDateTime(text) || "expected a time such as 2030-01-31T12:00:00Z, with seconds"
  )
)

/** Whether a text begins with a day that the calendar has, such as `2026-02-28`; `Date.parse` reads 31 February as 3 March. */
export const hasCalendarDate = (text: string): boolean => {
  const day = text.slice(0, 10)
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}

const isoPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/**
 * `Date.parse` reads 31 February as 3 March, so the parsed time must format to the same text. Responses are in UTC,
 * where the year must have four digits too.
 */
const isIsoDateTime = (text: string): boolean => {
  const local = isoPattern.exec(text)?.[1]
  if (local === undefined || Number.isNaN(Date.parse(text))) return false
  const [inOwnZone, inUtc] = [`${local}Z`, text].map((each) => new Date(each).toISOString())
  return inOwnZone?.startsWith(local) === true && /^\d{4}-/.test(inUtc ?? "")
}
