import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { setMostRecent } from "../../src/values/setMostRecent.ts"

describe("setMostRecent", () => {
  it("keeps as many of the most recently used keys as there is room for", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(9), { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        (used, capacity) => {
          const map = new Map<number, number>()
          for (const [at, key] of used.entries()) setMostRecent(map, key, at, capacity)
          const latest = Array.from(new Set(used.toReversed())).slice(0, capacity).toReversed()
          expect(Array.from(map)).toEqual(latest.map((key) => [key, used.lastIndexOf(key)]))
        }
      )
    )
  })

  it("does not search for the oldest key while there is room", () => {
    const map = new Map<string, number>()
    map.keys = () => expect.unreachable("searched")
    for (const key of ["a", "b", "a", "b"]) setMostRecent(map, key, 0, 2)
    expect(map.size).toBe(2)
  })
})
