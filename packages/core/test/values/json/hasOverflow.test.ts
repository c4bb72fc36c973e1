import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { hasOverflow } from "../../../src/values/json/JsonCost.ts"

const overflows = (text: string): boolean => hasOverflow(text, JSON.parse(text))

describe("hasOverflow", () => {
  it.each([
    "1e400",
    "-1E+309",
    '{"a":[{"b":1e999}]}',
    `[${"9".repeat(400)}]`,
    '{"__proto__":9e400}'
  ])("detects %s", (text) => {
    assert.isTrue(overflows(text))
  })

  it.each(["1e308", "1e-999", '"1e999"', `"${"9".repeat(400)}"`, "[]", "null", '{"1e999":1}'])(
    "accepts %s",
    (text) => {
      assert.isFalse(overflows(text))
    }
  )

  it("accepts long runs of digits and long arrays", () => {
    const digits = `"${`${"7".repeat(307)} `.repeat(20_000)}"`
    assert.isFalse(overflows(digits))
    assert.isFalse(overflows(`[1e100${",1".repeat(500_000)}]`))
    assert.isTrue(overflows(`[1${",1".repeat(500_000)},1e400]`))
  })

  it("accepts everything that JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.isFalse(overflows(JSON.stringify(value)))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("detects exactly the numbers that lose their value", () => {
    const number = fc
      .tuple(
        fc.constantFrom("", "-"),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: -400, max: 400 })
      )
      .map(([sign, digit, exponent]) => `${sign}${digit}e${exponent}`)
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const text = `[${numbers.join()}]`
        assert.strictEqual(overflows(text), JSON.stringify(JSON.parse(text)).includes("null"))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
