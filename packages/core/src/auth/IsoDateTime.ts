/** A moment as callers write it: ISO 8601 with seconds and a zone, which is all that clients of this wire read. */
import * as Schema from "effect/Schema"

export const IsoDateTime = Schema.String.check(
  Schema.makeFilter(
    (text) => isIsoDateTime(text) || "expected a time such as 2030-01-31T12:00:00Z, with seconds"
  )
)

const isoPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

/**
 * `Date.parse` takes 31 February for 3 March: what was written must be what comes out again. It is told in UTC,
 * where the year must have four digits too.
 */
const isIsoDateTime = (text: string): boolean => {
  const local = isoPattern.exec(text)?.[1]
  if (local === undefined || Number.isNaN(Date.parse(text))) return false
  const [inItsZone, inUtc] = [`${local}Z`, text].map((each) => new Date(each).toISOString())
  return inItsZone?.startsWith(local) === true && /^\d{4}-/.test(inUtc ?? "")
}
