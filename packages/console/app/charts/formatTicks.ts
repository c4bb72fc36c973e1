/** The labels of an axis of time, in the language and the zone of the viewer. */
import { plain } from "../format/format.ts"

const day = 86_400

/** `times` and `step`, the distance between two of them, are in seconds. The day is below the first time of each day. */
export const formatTicks = (
  times: ReadonlyArray<number>,
  step: number,
  isUtc: boolean
): Array<string> => {
  const { day: formatDay, time } = findFormats(isUtc)
  let before = ""
  return times.map((at) => {
    const date = new Date(at * 1_000)
    const today = plain(formatDay.format(date))
    if (step >= day) return today
    const label = plain(time[step < 60 ? "seconds" : "minutes"].format(date))
    const isNew = today !== before
    before = today
    return isNew ? `${label}\n${today}` : label
  })
}

const makeFormats = (zone: Intl.DateTimeFormatOptions) => {
  const make = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, { ...parts, ...zone })
  return {
    day: make({ month: "short", day: "numeric" }),
    time: {
      minutes: make({ hour: "numeric", minute: "2-digit" }),
      seconds: make({ hour: "numeric", minute: "2-digit", second: "2-digit" })
    }
  }
}

const known = new Map<boolean, ReturnType<typeof makeFormats>>()

const findFormats = (isUtc: boolean): ReturnType<typeof makeFormats> => {
  const found = known.get(isUtc) ?? makeFormats(isUtc ? { timeZone: "UTC" } : {})
  known.set(isUtc, found)
  return found
}
