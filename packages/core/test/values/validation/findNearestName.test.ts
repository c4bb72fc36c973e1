import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  editDistance,
  findNearestName,
  describeUnknownName
} from "../../../src/values/validation/findNearestName.ts"

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["region", "regoin", 1],
    ["kitten", "sitting", 3],
    ["tools", "tool", 1]
  ])("of %j and %j is %i", (self, that, edits) => {
    assert.strictEqual(editDistance(self, that), edits)
  })

  it("is symmetric, 0 for equal texts only, and at most the length of the longer one", () => {
    const text = fc.string({ maxLength: 12 })
    fc.assert(
      fc.property(text, text, (self, that) => {
        const edits = editDistance(self, that)
        assert.strictEqual(edits, editDistance(that, self))
        assert.strictEqual(edits === 0, self === that)
        assert.isAtMost(edits, Math.max(self.length, that.length))
        assert.isAtLeast(edits, Math.abs(self.length - that.length))
      })
    )
  })

  it("counts one typo as one", () => {
    const place = fc.nat(7)
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 8 }), place, (text, at) => {
        assert.strictEqual(editDistance(text, text.slice(0, at) + text.slice(at + 1)), 1)
      })
    )
  })
})

const normalize = (name: string): string => name.replaceAll("-", "")

describe("findNearestName", () => {
  const known = ["price", "provider", "supportedParameters", "region", "zdr"]
  it.each([
    ["prise", "price"],
    ["supported_parameters", "supportedParameters"],
    ["supportedParameter", "supportedParameters"],
    ["Region", "region"],
    ["zrd", "zdr"],
    ["colour", undefined],
    ["", undefined]
  ])("for %j is %j", (name, nearest) => {
    assert.strictEqual(findNearestName(name, known), nearest)
  })

  it("is never farther than another name, for any letters", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "ä", "-"), maxLength: 9 })
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 8 }), (name, known) => {
        const distances = known.map((each) => editDistance(normalize(name), normalize(each)))
        const least = Math.min(...distances)
        const limit = Math.max(1, Math.floor(normalize(name).length / 3))
        assert.strictEqual(
          findNearestName(name, known),
          least <= limit ? known[distances.indexOf(least)] : undefined
        )
      })
    )
  })

  it("lists all names when none is near", () => {
    assert.strictEqual(
      describeUnknownName("colour", "field", ["a", "b"]),
      "colour is no field; there are a, b"
    )
  })

  it("lists the five nearest of many names", () => {
    const settings = ["totalTimeoutMillis", "chatTimeoutMillis", "maxAttempts"]
    const others = Array.from({ length: 40 }, (_, index) => `someOtherSettingNumber${index}`)
    assert.strictEqual(
      describeUnknownName("chatDeadlineMs", "setting", [...others, ...settings]),
      "chatDeadlineMs is no setting; the closest are chatTimeoutMillis, maxAttempts, " +
        "totalTimeoutMillis, someOtherSettingNumber0, someOtherSettingNumber1"
    )
  })
})
