import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { encodeCursor, parseCursor } from "../../../src/http/contract/cursor.ts"

describe("a cursor", () => {
  it("leads back to its place, and is safe in an address", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (place) => {
        const cursor = encodeCursor(place)
        assert.strictEqual(parseCursor(cursor), place)
        assert.strictEqual(encodeURIComponent(cursor), cursor)
      })
    )
  })

  it("is nothing but what was written", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.nat().map(String)), (text) => {
        assert.isUndefined(parseCursor(text))
      })
    )
  })

  it.each(["after:", "after:-1", "after:1.5", "after:1e3", "after: 1", "after:01", "other:1"])(
    "has no other form, such as %s",
    (text) => {
      assert.isUndefined(parseCursor(Buffer.from(text).toString("base64url")))
    }
  )
})
