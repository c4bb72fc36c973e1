import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { isSmallJson, maxSyncBytes } from "../../../src/values/json/JsonCost.ts"

const measure = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

describe("isSmallJson", () => {
  it("is true for every value whose JSON is small and flat", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
        assert.isTrue(isSmallJson(value) || measure(value) > maxSyncBytes)
      })
    )
    assert.isTrue(isSmallJson({ text: "x".repeat(60_000) }))
  })

  it.each([
    ["a long text", "x".repeat(maxSyncBytes)],
    ["a long key", { ["x".repeat(maxSyncBytes)]: 1 }],
    ["many items", Array.from({ length: maxSyncBytes }, () => 1)],
    ["many texts", { list: Array.from({ length: 100 }, () => ({ text: "x".repeat(1_000) })) }]
  ])("is false for %s", (_, value) => {
    assert.isAbove(measure(value), maxSyncBytes)
    assert.isFalse(isSmallJson(value))
  })

  it("is false for a deep value, without overflowing the stack", () => {
    let deep: unknown = 1
    for (let i = 0; i < 20_000; i++) deep = [deep]
    assert.isFalse(isSmallJson(deep))
  })

  it("takes undefined for nothing", () => {
    assert.isTrue(isSmallJson(undefined))
    assert.isTrue(isSmallJson(Array.from({ length: 40_000 })))
  })
})
