import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { maxStateBytes, truncateState } from "../../../../src/engine/observability/audit/Audit.ts"

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** From nothing to several times the limit. */
const text = fc
  .tuple(fc.constantFrom("x", "ä", "😀", '"'), fc.integer({ min: 0, max: maxStateBytes }))
  .map(([unit, times]) => unit.repeat(times))
const fields = fc
  .array(fc.tuple(fc.constantFrom("name", "limit", "__proto__", "constructor"), text))
  .map((entries) => Object.fromEntries(entries))
const items = fc
  .tuple(fc.oneof(text, fields), fc.integer({ min: 0, max: 200 }))
  .map(([item, times]) => Array.from({ length: times }, () => item))
const state = fc.oneof(text, fields, items, fc.jsonValue())

describe("truncateState", () => {
  it("leaves a small state unchanged", () => {
    fc.assert(
      fc.property(state, (given) => {
        fc.pre(bytesOf(given) <= maxStateBytes)
        assert.strictEqual(truncateState(given), given)
      })
    )
  })

  it("never exceeds the limit, for any state", () => {
    fc.assert(
      fc.property(state, (given) => {
        assert.isAtMost(bytesOf(truncateState(given)), maxStateBytes + 4 * 64)
      })
    )
  })

  it("keeps the first items of a long list, and counts the others", () => {
    const item = "x".repeat(998)
    const truncated = truncateState(Array.from({ length: 100 }, () => item))
    const kept = Math.floor(maxStateBytes / 1_001)
    assert.deepStrictEqual(truncated, [
      ...Array.from({ length: kept }, () => item),
      `(${100 - kept} more left out)`
    ])
  })

  it("counts every item at the limit", () => {
    for (let length = maxStateBytes - 20; length < maxStateBytes + 20; length++) {
      const truncated = truncateState(["", "x".repeat(length - 7)])
      if (length > maxStateBytes) assert.deepStrictEqual(truncated, ["", "(1 more left out)"])
      else assert.lengthOf(truncated as ReadonlyArray<unknown>, 2)
    }
  })

  it("keeps the fields that fit, and reports the size of the others", () => {
    const models = Array.from({ length: 10_000 }, () => "a/b")
    assert.deepStrictEqual(truncateState({ id: "g", models, name: "n", __proto__: null }), {
      id: "g",
      models: "(60001 bytes left out)",
      name: "n"
    })
  })
})
