import * as fc from "fast-check"
import { assert, it } from "vitest"
import { makeFairEviction } from "../../../../src/engine/observability/generations/FairEviction.ts"
import { AccountId } from "../../../../src/values/ids/Ids.ts"

const account = fc.constantFrom(...["a", "b", "c", "d"].map((id) => AccountId.make(id)))

it("evicts from the largest account, and only beyond the capacity", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(account, { maxLength: 200, size: "max" }),
      (capacity, takers) => {
        const shares = makeFairEviction(capacity)
        const held = new Map<AccountId, number>()
        let total = 0
        for (const taker of takers) {
          held.set(taker, (held.get(taker) ?? 0) + 1)
          total += 1
          const giving = shares.take(taker)
          assert.strictEqual(giving !== undefined, total > capacity)
          if (giving === undefined) continue
          assert.strictEqual(held.get(giving), Math.max(...held.values()))
          held.set(giving, (held.get(giving) ?? 0) - 1)
          total -= 1
        }
      }
    )
  )
})
