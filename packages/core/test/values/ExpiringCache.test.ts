import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { ExpiringCache } from "../../src/values/ExpiringCache.ts"

describe("ExpiringCache", () => {
  it("returns an entry until it expires", () => {
    const cache = new ExpiringCache<string, number>(10, 100)
    cache.set("a", 1, 0)
    expect(cache.get("a", 99)).toBe(1)
    expect(cache.get("a", 100)).toBeUndefined()
    expect(cache.get("a", 0)).toBeUndefined()
  })

  it("forgets an entry whose clock has jumped back, which would live until the clock is there again", () => {
    const cache = new ExpiringCache<string, number>(10, 100)
    cache.set("a", 1, 86_400_000)
    expect(cache.get("a", 86_399_990)).toBeUndefined()
    cache.set("b", 2, 86_400_000)
    expect(cache.get("b", 86_400_000)).toBe(2)
  })

  it("never exceeds its capacity, and keeps the entry that was set last", () => {
    const key = fc.integer({ min: 0, max: 9 })
    const step = fc.record({ key, sets: fc.boolean() })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step), (capacity, steps) => {
        const cache = new ExpiringCache<number, number>(capacity, 1)
        for (const [index, { key, sets }] of steps.entries()) {
          if (sets) cache.set(key, index, 0)
          else cache.get(key, 0)
        }
        const present = Array.from({ length: 10 }, (_, each) => each).filter(
          (each) => cache.get(each, 0) !== undefined
        )
        expect(present.length).toBeLessThanOrEqual(capacity)
        const lastSet = steps.findLast(({ sets }) => sets)?.key
        expect(lastSet === undefined || present.includes(lastSet)).toBe(true)
      })
    )
  })

  it("evicts the least recently used entry", () => {
    const cache = new ExpiringCache<string, number>(2, 1)
    cache.set("a", 1, 0)
    cache.set("b", 2, 0)
    cache.get("a", 0)
    cache.set("c", 3, 0)
    expect(["a", "b", "c"].map((key) => cache.get(key, 0))).toEqual([1, undefined, 3])
  })

  it("deletes entries by key and by value", () => {
    const cache = new ExpiringCache<string, number>(10, 1)
    for (const [value, key] of ["a", "b", "c", "d"].entries()) cache.set(key, value, 0)
    cache.delete("a")
    cache.deleteWhere((value) => value === 1)
    expect(["a", "b", "c", "d"].map((key) => cache.get(key, 0))).toEqual([
      undefined,
      undefined,
      2,
      3
    ])
    cache.clear()
    expect(cache.get("c", 0)).toBeUndefined()
  })
})
