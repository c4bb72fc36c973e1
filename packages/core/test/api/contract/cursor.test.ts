import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { encodeCursor, parseCursor } from "../../../src/api/contract/pageQueries.ts"

describe("a cursor", () => {
  it("decodes to its position and is safe in a URL", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (position) => {
        const cursor = encodeCursor(position)
        assert.strictEqual(parseCursor(cursor), position)
        assert.strictEqual(encodeURIComponent(cursor), cursor)
      })
    )
  })

  it("is undefined for arbitrary text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.nat().map(String)), (text) => {
        assert.isUndefined(parseCursor(text))
      })
    )
  })

  it.each(["after:", "after:-1", "after:1.5", "after:1e3", "after: 1", "after:01", "other:1"])(
    "has no other spelling, such as %s",
    (text) => {
      assert.isUndefined(parseCursor(Buffer.from(text).toString("base64url")))
    }
  )
})
