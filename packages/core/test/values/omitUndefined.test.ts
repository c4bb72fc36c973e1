import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { omitUndefined } from "../../src/values/ownFields.ts"

const values = fc.dictionary(
  fc.oneof(fc.string(), fc.constant("__proto__")),
  fc.constantFrom(undefined, null, 0, "", false)
)

describe("omitUndefined", () => {
  it("keeps defined fields of any name in their order", () => {
    fc.assert(
      fc.property(values, (fields) => {
        const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
        const kept = omitUndefined(fields)
        assert.deepStrictEqual(Object.entries(kept), defined)
        assert.strictEqual(Object.getPrototypeOf(kept), Object.prototype)
      })
    )
  })
})
