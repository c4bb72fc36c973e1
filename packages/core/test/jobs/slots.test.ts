import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { makeSlots } from "../../src/jobs/slots.ts"

const bounds = { each: 3, unknown: 2, unwell: 4 }

describe("makeSlots", () => {
  it("gives each as many as it may have, and one that was not well a single slot until it is well", () => {
    const slots = makeSlots(bounds)
    const first = slots.enter("a")
    const second = slots.enter("a")
    assert.isUndefined(slots.enter("a"))
    assert.isDefined(slots.enter("b"))
    first?.(false)
    second?.(undefined)
    const alone = slots.enter("a")
    assert.isDefined(alone)
    assert.isUndefined(slots.enter("a"))
    alone?.(true)
    assert.isDefined(slots.enter("a"))
    assert.isDefined(slots.enter("a"))
  })

  it("leaves the rest to those that are well, however many are not", () => {
    const slots = makeSlots(bounds)
    const names = Array.from({ length: 20 }, (_, index) => `dead-${index}`)
    for (const name of names) slots.enter(name)?.(false)
    assert.strictEqual(names.filter((name) => slots.enter(name) !== undefined).length, 4)
    assert.isDefined(slots.enter("well"))
    assert.isDefined(slots.enter("well"))
  })

  it("forgets the longest ago of ten thousand that were not well", () => {
    const slots = makeSlots(bounds)
    for (let index = 0; index <= 10_000; index++) slots.enter(`dead-${index}`)?.(false)
    const room = (name: string) => [slots.enter(name), slots.enter(name)].filter(Boolean).length
    assert.strictEqual(room("dead-0"), 2)
    assert.strictEqual(room("dead-1"), 1)
  })

  it("has the room back that was taken, in whatever order they come and go", () => {
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
          const slots = makeSlots(bounds)
          const left: Array<() => void> = []
          for (const [name, isWell, at] of steps) {
            const leave = slots.enter(name)
            if (leave !== undefined) left.push(() => leave(isWell))
            else left.splice(at % Math.max(left.length, 1), 1)[0]?.()
          }
          for (const leave of left) leave()
          for (const name of ["a", "b", "c"]) slots.enter(name)?.(true)
          const room = ["a", "a", "b", "b", "c", "c"].map((name) => slots.enter(name))
          assert.isFalse(room.includes(undefined))
        }
      )
    )
  })
})
