import { assert, describe, it } from "vitest"
import { isDeeperThan } from "../../../src/values/json/JsonCost.ts"

const nest = (levels: number): unknown => {
  let value: unknown = "core"
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { value }
  return value
}

describe("isDeeperThan", () => {
  it.each([
    ["text", 0, false],
    [null, 0, false],
    [{}, 0, true],
    [[], 1, false],
    [[[]], 1, true],
    [[1, { a: null }], 1, true],
    [[1, { a: null }], 2, false],
    [nest(10), 10, false],
    [nest(11), 10, true],
    [nest(100), 100, false],
    [nest(101), 100, true],
    [nest(101), 101, false],
    [nest(102), 101, true]
  ])("of %j beyond %d is %s", (value, limit, deeper) => {
    assert.strictEqual(isDeeperThan(value, limit), deeper)
  })

  it("checks the deepest of many branches", () => {
    const wide = Array.from({ length: 1_000 }, (_, i) => nest(i === 500 ? 7 : 2))
    assert.isFalse(isDeeperThan(wide, 8))
    assert.isTrue(isDeeperThan(wide, 7))
  })

  it("counts more levels than the call stack has", () => {
    assert.isTrue(isDeeperThan(nest(1_000_000), 999_999))
    assert.isFalse(isDeeperThan(nest(1_000_000), 1_000_000))
  })

  it("counts a level named __proto__", () => {
    assert.isTrue(isDeeperThan(JSON.parse('{"__proto__":{"__proto__":{}}}'), 2))
  })
})
