import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { type Interval, toWindow } from "../../../src/engine/ledger/Interval.ts"

const at = (iso: string): number => Date.parse(iso)

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
    assert.deepStrictEqual(toWindow(interval, at(now)), {
      name,
      beganAt: at(`${name}T00:00:00Z`),
      endsAt: at(ends)
    })
  })

  it("of a lifetime never ends", () => {
    assert.deepStrictEqual(toWindow("lifetime", at("2026-11-21T00:00:00Z")), {
      name: "lifetime",
      beganAt: -Infinity,
      endsAt: Infinity
    })
  })

  it.each(["daily", "weekly", "monthly"] as const)(
    "%s is the same when it is looked up again after another",
    (interval) => {
      const before = toWindow(interval, at("2026-11-21T12:00:00Z"))
      const after = toWindow(interval, before.endsAt)
      assert.strictEqual(after.beganAt, before.endsAt)
      assert.deepStrictEqual(toWindow(interval, before.endsAt - 1), before)
      assert.deepStrictEqual(toWindow(interval, after.endsAt - 1), after)
    }
  )

  it("contains every time from its first midnight to its last, and none after", () => {
    const interval = fc.constantFrom<Interval>("daily", "weekly", "monthly")
    const moment = fc.integer({ min: at("1900-01-01T00:00:00Z"), max: at("2100-01-01T00:00:00Z") })
    fc.assert(
      fc.property(
        interval,
        moment,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, now, share) => {
          const { beganAt: began, endsAt, name } = toWindow(of, now)
          assert.strictEqual(began, at(`${name}T00:00:00Z`))
          assert.isAtMost(began, now)
          assert.isAbove(endsAt, now)
          assert.strictEqual(endsAt % 86_400_000, 0)
          const within = Math.floor(began + share * (endsAt - 1 - began))
          assert.strictEqual(toWindow(of, within).name, name)
          assert.notStrictEqual(toWindow(of, endsAt).name, name)
          if (of === "weekly") assert.strictEqual(new Date(began).getUTCDay(), 1)
          if (of === "monthly") assert.strictEqual(new Date(began).getUTCDate(), 1)
        }
      ),
      { numRuns: scaleRuns(2_000) }
    )
  })
})
