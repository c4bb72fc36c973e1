import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { makeBulkhead } from "../../../src/engine/jobs/Bulkhead.ts"

const bounds = { perHealthy: 3, perUnknown: 2, totalUnhealthy: 4 }

describe("Bulkhead", () => {
  it("gives each name its limit, and one slot after a failure until it succeeds", () => {
    const slots = makeBulkhead(bounds)
    const first = slots.tryAcquire("a")
    const second = slots.tryAcquire("a")
    assert.isUndefined(slots.tryAcquire("a"))
    assert.isDefined(slots.tryAcquire("b"))
    first?.(false)
    second?.(undefined)
    const alone = slots.tryAcquire("a")
    assert.isDefined(alone)
    assert.isUndefined(slots.tryAcquire("a"))
    alone?.(true)
    assert.isDefined(slots.tryAcquire("a"))
    assert.isDefined(slots.tryAcquire("a"))
  })

  it("leaves the rest to healthy names, however many are unhealthy", () => {
    const slots = makeBulkhead(bounds)
    const names = Array.from({ length: 20 }, (_, index) => `dead-${index}`)
    for (const name of names) slots.tryAcquire(name)?.(false)
    assert.strictEqual(names.filter((name) => slots.tryAcquire(name) !== undefined).length, 4)
    assert.isDefined(slots.tryAcquire("healthy"))
    assert.isDefined(slots.tryAcquire("healthy"))
  })

  it("forgets the oldest of ten thousand unhealthy names", () => {
    const slots = makeBulkhead(bounds)
    for (let index = 0; index <= 10_000; index++) slots.tryAcquire(`dead-${index}`)?.(false)
    const room = (name: string) =>
      [slots.tryAcquire(name), slots.tryAcquire(name)].filter(Boolean).length
    assert.strictEqual(room("dead-0"), 2)
    assert.strictEqual(room("dead-1"), 1)
  })

  it("gets all slots back, in any order of acquisition and release", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom("a", "b", "c"),
            fc.option(fc.boolean(), { nil: undefined }),
            fc.nat(9)
          )
        ),
        (steps) => {
          const slots = makeBulkhead(bounds)
          const left: Array<() => void> = []
          for (const [name, isWell, at] of steps) {
            const leave = slots.tryAcquire(name)
            if (leave !== undefined) left.push(() => leave(isWell))
            else left.splice(at % Math.max(left.length, 1), 1)[0]?.()
          }
          for (const leave of left) leave()
          for (const name of ["a", "b", "c"]) slots.tryAcquire(name)?.(true)
          const room = ["a", "a", "b", "b", "c", "c"].map((name) => slots.tryAcquire(name))
          assert.isFalse(room.includes(undefined))
        }
      )
    )
  })
})
