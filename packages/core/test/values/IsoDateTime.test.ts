import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { IsoDateTime } from "../../src/values/IsoDateTime.ts"

const isMoment = Schema.is(IsoDateTime)

describe("IsoDateTime", () => {
  it("accepts any valid time in any time zone", () => {
    const moments = fc.date({
      min: new Date("0000-01-02T00:00:00Z"),
      max: new Date("9999-12-30T23:59:59Z"),
      noInvalidDate: true
    })
    fc.assert(
      fc.property(moments, fc.constantFrom("Z", "+14:00", "-00:30"), (date, zone) => {
        const local = date.toISOString().slice(0, -1)
        assert.isTrue(isMoment(local + zone))
        assert.isTrue(isMoment(local.slice(0, -4) + zone))
      })
    )
  })

  it.each([
    ["a day beyond the month", "2030-02-31T00:00:00Z"],
    ["a leap day of another year", "2030-02-29T00:00:00+02:00"],
    ["the hour 24", "2030-01-01T24:00:00Z"],
    ["a month beyond 12", "2030-13-01T00:00:00Z"],
    ["no seconds", "2030-01-01T00:00Z"],
    ["no zone", "2030-01-01T00:00:00"],
    ["an unknown time zone", "2030-01-01T00:00:00+99:00"],
    ["a year with five digits in UTC", "9999-12-31T23:59:59-01:00"],
    ["a year that is negative in UTC", "0000-01-01T00:00:00+14:00"]
  ])("rejects %s", (_, text) => {
    assert.isFalse(isMoment(text))
  })
})
