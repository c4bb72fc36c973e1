import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  encodeCursor,
  encodeSessionCursor,
  parseCursor,
  parseSessionCursor
} from "../../../src/api/contract/pageQueries.ts"

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

describe("a cursor of sessions", () => {
  it("decodes to its position, with any text as the id", () => {
    const text = fc.string({ unit: "binary" })
    fc.assert(
      fc.property(fc.maxSafeNat(), text, text, (lastAt, workspace, id) => {
        const cursor = encodeSessionCursor({ lastAt, workspace, id })
        assert.deepStrictEqual(parseSessionCursor(cursor), { lastAt, workspace, id })
        assert.strictEqual(encodeURIComponent(cursor), cursor)
      })
    )
  })

  it.each([
    "after:1",
    'after:[1,"a"]',
    'after:[-1,"a","b"]',
    'after:[1,"a","\\x"]',
    "after:[1,2,3]"
  ])("is none of another form, such as %s", (text) => {
    assert.isUndefined(parseSessionCursor(Buffer.from(text).toString("base64url")))
  })
})
