import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import {
  Calendar,
  type CalendarSettings,
  getCalendar
} from "../../../src/engine/ledger/Calendar.ts"
import type { Interval } from "../../../src/engine/ledger/Interval.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { weekdays } from "../../../src/instance/settings/settingSchemas.ts"

const at = (iso: string): number => Date.parse(iso)
const hour = 3_600_000
const utc = getCalendar(Settings.defaults)
const makeCalendar = (settings: Partial<CalendarSettings>) =>
  new Calendar({ limitTimeZone: "UTC", limitWeekStart: "monday", limitResetDay: 1, ...settings })

describe("a window", () => {
  it.each([
    ["daily", "2026-11-21T00:00:00Z", "2026-11-21", "2026-11-22T00:00:00Z"],
    ["daily", "2026-11-21T23:59:59.999Z", "2026-11-21", "2026-11-22T00:00:00Z"],
    // A Saturday: its week began on Monday.
    ["weekly", "2026-11-21T12:00:00Z", "2026-11-16", "2026-11-23T00:00:00Z"],
    ["weekly", "2026-11-22T23:59:59.999Z", "2026-11-16", "2026-11-23T00:00:00Z"],
    ["weekly", "2026-11-23T00:00:00Z", "2026-11-23", "2026-11-30T00:00:00Z"],
    // A week that spans two years.
    ["weekly", "2027-01-01T00:00:00Z", "2026-12-28", "2027-01-04T00:00:00Z"],
    ["monthly", "2026-11-30T23:59:59.999Z", "2026-11-01", "2026-12-01T00:00:00Z"],
    ["monthly", "2028-02-29T12:00:00Z", "2028-02-01", "2028-03-01T00:00:00Z"],
    ["monthly", "2026-12-31T00:00:00Z", "2026-12-01", "2027-01-01T00:00:00Z"]
  ] as const)("%s, at %s, began on %s and ends at %s", (interval, now, name, ends) => {
    assert.deepStrictEqual(utc.toWindow(interval, at(now)), {
      name,
      beganAt: at(`${name}T00:00:00Z`),
      endsAt: at(ends)
    })
  })

  it("of a lifetime never ends", () => {
    assert.deepStrictEqual(utc.toWindow("lifetime", at("2026-11-21T00:00:00Z")), {
      name: "lifetime",
      beganAt: -Infinity,
      endsAt: Infinity
    })
  })

  it.each(["daily", "weekly", "monthly"] as const)(
    "%s is the same when it is looked up again after another",
    (interval) => {
      const before = utc.toWindow(interval, at("2026-11-21T12:00:00Z"))
      const after = utc.toWindow(interval, before.endsAt)
      assert.strictEqual(after.beganAt, before.endsAt)
      assert.deepStrictEqual(utc.toWindow(interval, before.endsAt - 1), before)
      assert.deepStrictEqual(utc.toWindow(interval, after.endsAt - 1), after)
    }
  )

  it("is the same object while it lasts", () => {
    const berlin = makeCalendar({ limitTimeZone: "Europe/Berlin" })
    const { beganAt, endsAt } = berlin.toWindow("daily", at("2026-11-21T12:00:00Z"))
    assert.strictEqual(berlin.toWindow("daily", beganAt), berlin.toWindow("daily", endsAt - 1))
  })
})

describe("a day in a time zone", () => {
  it.each([
    // The clocks go forward, and the day has 23 hours.
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
    // They go back, and it has 25.
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
    ["America/New_York", "2026-03-08", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
    // Midnight does not exist: the clocks go from 23:59 to 01:00.
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"],
    // The clocks go back at midnight, to 23:00 of the same day.
    ["America/Santiago", "2026-04-04", "2026-04-04T03:00:00Z", "2026-04-05T04:00:00Z"],
    // The whole of 30 December 2011 was skipped.
    ["Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"],
    ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"],
    ["Asia/Kathmandu", "2026-11-21", "2026-11-20T18:15:00Z", "2026-11-21T18:15:00Z"],
    // The clocks went back one minute past midnight, so that its first minute came twice.
    ["America/St_Johns", "2006-10-29", "2006-10-29T02:30:00Z", "2006-10-30T03:30:00Z"]
  ] as const)("in %s, %s lasts from %s to %s", (limitTimeZone, name, began, ends) => {
    const calendar = makeCalendar({ limitTimeZone })
    const window = calendar.toWindow("daily", at(ends) - 1)
    assert.strictEqual(window.name, name)
    assert.strictEqual(new Date(window.endsAt).toISOString(), new Date(ends).toISOString())
    if (limitTimeZone !== "America/St_Johns") {
      assert.strictEqual(new Date(window.beganAt).toISOString(), new Date(began).toISOString())
    }
    assert.deepStrictEqual(calendar.toWindow("daily", window.beganAt), window)
  })
})

describe("a week and a month", () => {
  it.each([
    ["sunday", "2026-11-21T12:00:00Z", "2026-11-15"],
    ["saturday", "2026-11-21T12:00:00Z", "2026-11-21"],
    ["friday", "2026-11-21T12:00:00Z", "2026-11-20"],
    ["sunday", "1969-12-31T12:00:00Z", "1969-12-28"]
  ] as const)("of a calendar whose weeks begin on %s, at %s, began on %s", (day, now, name) => {
    const window = makeCalendar({ limitWeekStart: day }).toWindow("weekly", at(now))
    assert.strictEqual(window.name, name)
    assert.strictEqual(window.endsAt - window.beganAt, 7 * 24 * hour)
  })

  it.each([
    [31, "2026-02-27T23:59:59Z", "2026-01-31", "2026-02-28T00:00:00Z"],
    [31, "2026-02-28T00:00:00Z", "2026-02-28", "2026-03-31T00:00:00Z"],
    [31, "2028-02-29T00:00:00Z", "2028-02-29", "2028-03-31T00:00:00Z"],
    [30, "2026-03-29T12:00:00Z", "2026-02-28", "2026-03-30T00:00:00Z"],
    [29, "2026-03-01T00:00:00Z", "2026-02-28", "2026-03-29T00:00:00Z"],
    [15, "2026-01-01T00:00:00Z", "2025-12-15", "2026-01-15T00:00:00Z"],
    [15, "2026-12-15T00:00:00Z", "2026-12-15", "2027-01-15T00:00:00Z"],
    [31, "2026-04-30T00:00:00Z", "2026-04-30", "2026-05-31T00:00:00Z"]
  ])("that resets on day %i, at %s, began on %s and ends at %s", (day, now, name, ends) => {
    const window = makeCalendar({ limitResetDay: day }).toWindow("monthly", at(now))
    assert.deepStrictEqual(window, { name, beganAt: at(`${name}T00:00:00Z`), endsAt: at(ends) })
  })

  it("resets at midnight of the zone", () => {
    const calendar = makeCalendar({ limitTimeZone: "America/New_York", limitResetDay: 31 })
    assert.deepStrictEqual(calendar.toWindow("monthly", at("2026-03-31T03:59:59.999Z")), {
      name: "2026-02-28",
      beganAt: at("2026-02-28T05:00:00Z"),
      endsAt: at("2026-03-31T04:00:00Z")
    })
  })
})

const makeDateFormat = (zone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" })

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Santiago",
  "America/St_Johns",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "Africa/Cairo",
  "Asia/Tehran",
  "Australia/Lord_Howe"
]

describe("the windows of any calendar", () => {
  it("follow each other without a gap, and contain every moment", () => {
    const settings = fc.record({
      limitTimeZone: fc.constantFrom(...zones),
      limitWeekStart: fc.constantFrom(...weekdays),
      limitResetDay: fc.integer({ min: 1, max: 31 })
    })
    const interval = fc.constantFrom<Interval>("daily", "weekly", "monthly")
    const moment = fc.integer({ min: at("1970-01-10T00:00:00Z"), max: at("2100-01-01T00:00:00Z") })
    fc.assert(
      fc.property(settings, interval, moment, (set, of, now) => {
        const calendar = new Calendar(set)
        const { beganAt, endsAt, name } = calendar.toWindow(of, now)
        assert.isAtMost(beganAt, now)
        assert.isAbove(endsAt, now)
        const before = calendar.toWindow(of, beganAt - 1)
        const after = calendar.toWindow(of, endsAt)
        assert.strictEqual(before.endsAt, beganAt)
        assert.strictEqual(after.beganAt, endsAt)
        assert.isBelow(before.name.localeCompare(name), 0)
        assert.isAbove(after.name.localeCompare(name), 0)
        // Another look-up order must not change what a window is.
        assert.deepStrictEqual(new Calendar(set).toWindow(of, endsAt - 1), {
          beganAt,
          endsAt,
          name
        })
        const first = new Date(`${name}T00:00:00Z`)
        if (of === "weekly") {
          assert.strictEqual((first.getUTCDay() + 6) % 7, weekdays.indexOf(set.limitWeekStart))
        }
        if (of === "monthly") {
          const tomorrow = new Date(first.getTime() + 24 * hour)
          const isReset = first.getUTCDate() === set.limitResetDay
          assert.isTrue(isReset || tomorrow.getUTCDate() === 1)
        }
      }),
      { numRuns: scaleRuns(300) }
    )
  })

  it("begin when the clocks of the zone first show their date", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones.filter((zone) => zone !== "America/St_Johns")),
        fc.integer({ min: at("2000-01-01T00:00:00Z"), max: at("2060-01-01T00:00:00Z") }),
        (zone, now) => {
          const { beganAt, name } = makeCalendar({ limitTimeZone: zone }).toWindow("daily", now)
          assert.strictEqual(makeDateFormat(zone).format(beganAt), name)
          assert.notStrictEqual(makeDateFormat(zone).format(beganAt - 1), name)
        }
      ),
      { numRuns: scaleRuns(300) }
    )
  })
})

describe("the settings of a calendar", () => {
  it.each([
    [{ limitTimeZone: "Europe/Atlantis" }, "settings.limitTimeZone must be a time zone"],
    [{ limitResetDay: 32 }, "settings.limitResetDay must be a whole number from 1 to 31"]
  ])("%j are refused", (settings, message) => {
    assert.throws(() => Settings.make(settings), message)
  })
})
