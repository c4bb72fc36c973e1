/** The periods in which spending is counted, in UTC. */
import * as Schema from "effect/Schema"

/** Weeks begin on Monday. */
export const Interval = Schema.Literals(["daily", "weekly", "monthly", "lifetime"])
export type Interval = typeof Interval.Type

/** A period in which spending is counted. */
export interface Window {
  /** Unique among the windows of its interval, such as `2026-11-16` for the week of that Monday. */
  readonly name: string
  /** Milliseconds since the epoch; -Infinity for a lifetime. */
  readonly beganAt: number
  /** Milliseconds since the epoch; Infinity for a lifetime. */
  readonly endsAt: number
}

/** The window that contains `now`; it begins and ends at midnight UTC. */
export const toWindow = (interval: Interval, now: number): Window => {
  if (interval === "lifetime") return lifetime
  const cached = cachedWindows[interval]
  if (cached.beganAt <= now && now < cached.endsAt) return cached
  const [beganAt, endsAt] = periodBounds[interval](now)
  const name = new Date(beganAt).toISOString().slice(0, 10)
  return (cachedWindows[interval] = { name, beganAt, endsAt })
}

const dayMillis = 86_400_000
const weekMillis = 7 * dayMillis
/** The epoch began on a Thursday. */
const firstMonday = 4 * dayMillis

const toPeriodStart = (now: number, length: number, first: number): number =>
  Math.floor((now - first) / length) * length + first

type Period = Exclude<Interval, "lifetime">

const periodBounds: Readonly<Record<Period, (now: number) => readonly [number, number]>> = {
  daily: (now) => {
    const began = toPeriodStart(now, dayMillis, 0)
    return [began, began + dayMillis]
  },
  weekly: (now) => {
    const began = toPeriodStart(now, weekMillis, firstMonday)
    return [began, began + weekMillis]
  },
  monthly: (now) => {
    const date = new Date(now)
    const year = date.getUTCFullYear()
    const month = date.getUTCMonth()
    return [Date.UTC(year, month), Date.UTC(year, month + 1)]
  }
}

const lifetime: Window = { name: "lifetime", beganAt: -Infinity, endsAt: Infinity }

const emptyWindow: Window = { name: "", beganAt: Infinity, endsAt: -Infinity }

/** The last window of each interval, cached because every request needs it several times. */
const cachedWindows: Record<Period, Window> = {
  daily: emptyWindow,
  weekly: emptyWindow,
  monthly: emptyWindow
}
