import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { makeReceiverBulkhead } from "../../../src/tenants/webhooks/DeliveryWorker.ts"

const names = (name: string) =>
  Array.from({ length: 100 }, (_, index) => `hook.${name}-${index}.example`)

describe("ReceiverBulkhead", () => {
  it("gives half of the slots to an account's unknown receivers, however many there are", () => {
    const slots = makeReceiverBulkhead(32)
    const enter = (account: string) =>
      names(account).filter((name) => slots.acquire(name, account) !== undefined).length
    assert.deepStrictEqual(["a", "b", "c", "d"].map(enter), [16, 8, 0, 0])
  })

  it("gives a quarter of the slots to an account's unknown receivers in one domain", () => {
    const slots = makeReceiverBulkhead(32)
    const wild = Array.from({ length: 100 }, (_, index) => `x${index}.dead.example.com`)
    assert.lengthOf(
      wild.filter((name) => slots.acquire(name, "a") !== undefined),
      8
    )
    assert.isDefined(slots.acquire("hooks.example.org", "a"))
  })

  it("leaves slots for healthy receivers, for any receivers that accounts invent", () => {
    const slots = makeReceiverBulkhead(32)
    slots.acquire("known", "e")?.(true)
    for (const account of ["a", "b", "c", "d"]) {
      for (const name of names(account)) slots.acquire(name, account)
    }
    assert.isUndefined(slots.acquire("new", "e"))
    const room = names("again").map(() => slots.acquire("known", "e"))
    assert.strictEqual(room.filter((leave) => leave !== undefined).length, 8)
  })

  it("gives no account all slots, even with healthy receivers", () => {
    const slots = makeReceiverBulkhead(32)
    for (const name of names("a")) slots.acquire(name, "a")?.(true)
    const taken = names("a").filter((name) => slots.acquire(name, "a") !== undefined)
    assert.strictEqual(taken.length, 24)
    assert.isDefined(slots.acquire("new", "b"))
  })

  it("gets all slots back, in any order of acquisition and release", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom("a", "b", "c"),
            fc.constantFrom("one", "two"),
            fc.option(fc.boolean(), { nil: undefined }),
            fc.nat(9)
          )
        ),
        (steps) => {
          const slots = makeReceiverBulkhead(8)
          const left: Array<() => void> = []
          for (const [name, account, isWell, at] of steps) {
            const leave = slots.acquire(name, account)
            if (leave !== undefined) left.push(() => leave(isWell))
            else left.splice(at % Math.max(left.length, 1), 1)[0]?.()
          }
          for (const leave of left) leave()
          for (const name of ["a", "b", "c"]) slots.acquire(name, "one")?.(true)
          const room = ["a", "a", "b", "b", "c", "c"].map((name) => slots.acquire(name, "one"))
          assert.isFalse(room.includes(undefined))
        }
      )
    )
  })
})
