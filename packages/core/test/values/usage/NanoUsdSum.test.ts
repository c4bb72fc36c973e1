import * as fc from "fast-check"
import { expect, it } from "vitest"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"
import { NanoUsdSum } from "../../../src/values/usage/NanoUsdSum.ts"

it("is exact for any amounts, also those that no number holds", () => {
  const near53 = fc.bigInt({ min: 2n ** 51n, max: 2n ** 54n })
  const amount = fc.oneof(
    fc.bigInt({ min: 0n, max: 1_000n }),
    near53,
    fc.bigInt(0n, NanoUsd.maxAmount)
  )
  fc.assert(
    fc.property(fc.array(amount), (amounts) => {
      const sum = new NanoUsdSum()
      let expected = 0n
      for (const each of amounts) {
        sum.add(NanoUsd.make(each))
        expected += each
        expect(sum.toNanoUsd()).toBe(expected)
      }
    })
  )
})
