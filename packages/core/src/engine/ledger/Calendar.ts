/** When the days, weeks and months begin in which spending is counted. */
import * as DateTime from "effect/DateTime"
import { memoize } from "effect/Function"
import type { SettingsShape } from "../../instance/Settings.ts"
import { weekdays } from "../../instance/settings/settingSchemas.ts"
import { type Interval, lifetimeWindow, type Window } from "./Interval.ts"

/** The settings that a calendar is made of. */
export type CalendarSettings = Pick<
  SettingsShape,
  "limitResetDay" | "limitTimeZone" | "limitWeekStart"
>

/**
 * Days begin at midnight in the time zone, or with the first moment after it where a change of the clocks skips it, as
 * `startOfDay` of Temporal (https://github.com/tc39/proposal-temporal/issues/2910). A day that the zone skips is empty, as one
 * in Samoa (https://nodatime.org/3.2.x/userguide/trivia), and one that begins twice
 * (https://github.com/tc39/proposal-temporal/issues/2938) has one beginning. A month whose reset day does not exist begins on its
 * last day, as at Stripe (https://stripe.com/docs/subscriptions/billing-cycle).
 */
export class Calendar {
  readonly #zone: Zone
  readonly #resetDay: number
  readonly #weekStart: number
  /** The last window of each interval, cached because every request needs it several times. */
  readonly #latest: Record<Period, Window> = {
    daily: noWindow,
    weekly: noWindow,
    monthly: noWindow
  }

  constructor({ limitResetDay, limitTimeZone, limitWeekStart }: CalendarSettings) {
    this.#zone = limitTimeZone === "UTC" ? utc : makeZone(limitTimeZone)
    this.#resetDay = limitResetDay
    this.#weekStart = weekdays.indexOf(limitWeekStart)
  }

  /** The window that contains `now`, in milliseconds since the epoch. */
  toWindow(interval: Interval, now: number): Window {
    if (interval === "lifetime") return lifetimeWindow
    const latest = this.#latest[interval]
    if (latest.beganAt <= now && now < latest.endsAt) return latest
    const [first, next] = this.#findDays(interval, this.#toDay(now))
    return (this.#latest[interval] = {
      name: new Date(first * dayMillis).toISOString().slice(0, 10),
      beganAt: this.#zone.startOfDay(first),
      endsAt: this.#zone.startOfDay(next)
    })
  }

  /** The last day that began before or at `now`. Around a change of the clocks its date may not be the one they show. */
  #toDay(now: number): Day {
    const { startOfDay, toLocal } = this.#zone
    let day = Math.floor(toLocal(now) / dayMillis)
    while (startOfDay(day) > now) day -= 1
    while (startOfDay(day + 1) <= now) day += 1
    return day
  }

  /** The first day of the period, and that of the next. */
  #findDays(interval: Period, day: Day): readonly [Day, Day] {
    if (interval === "daily") return [day, day + 1]
    if (interval === "weekly") {
      const sinceStart = toRemainder(day - firstMonday - this.#weekStart, 7)
      return [day - sinceStart, day - sinceStart + 7]
    }
    const date = new Date(day * dayMillis)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    const reset = this.#findReset(year, month)
    return day < reset
      ? [this.#findReset(year, month - 1), reset]
      : [reset, this.#findReset(year, month + 1)]
  }

  #findReset(year: number, month: number): Day {
    const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
    return Date.UTC(year, month, Math.min(this.#resetDay, last)) / dayMillis
  }
}

/** The calendar of an instance; the same object for the same settings. */
export const getCalendar = memoize((settings: CalendarSettings) => new Calendar(settings))

type Period = Exclude<Interval, "lifetime">

/** A date, counted in days since 1970-01-01. */
type Day = number

interface Zone {
  /** What its clocks show at `now`, as if they were in UTC. */
  readonly toLocal: (now: number) => number
  /** Milliseconds since the epoch. */
  readonly startOfDay: (day: Day) => number
}

const dayMillis = 86_400_000

/** 1970-01-05. */
const firstMonday: Day = 4

const utc: Zone = { toLocal: (now) => now, startOfDay: (day) => day * dayMillis }

/**
 * Searches for the beginning of a day, since only the clocks of a zone say where midnight is. It takes some 30 look-ups, for
 * each end of a window that is not cached.
 */
const makeZone = (name: string): Zone => {
  const timeZone = DateTime.zoneMakeNamedUnsafe(name)
  const toLocal = (now: number): number =>
    DateTime.toDate(DateTime.makeZonedUnsafe(now, { timeZone })).getTime()
  return {
    toLocal,
    startOfDay: (day) => {
      const midnight = day * dayMillis
      // No zone is a whole day away from UTC: https://github.com/unicode-org/icu/pull/2646.
      let before = midnight - dayMillis
      let after = midnight + dayMillis
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2)
        if (toLocal(middle) < midnight) before = middle
        else after = middle
      }
      return after
    }
  }
}

/** From 0 to `divisor`, also of a negative number. */
const toRemainder = (dividend: number, divisor: number): number =>
  ((dividend % divisor) + divisor) % divisor

const noWindow: Window = { name: "", beganAt: Infinity, endsAt: -Infinity }
