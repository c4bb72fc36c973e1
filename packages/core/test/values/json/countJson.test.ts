import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { countJson } from "../../../src/values/json/JsonCost.ts"
import { JsonScanner } from "../../../src/values/json/JsonScanner.ts"

const never = () => false

const countAll = (
  value: unknown,
  isEnough: Parameters<typeof countJson>[1] = never,
  stride?: number
) => {
  const counting = countJson(value, isEnough, stride)
  let steps = 0
  for (;;) {
    const step = counting.next()
    if (step.done === true) return { ...step.value, steps }
    steps++
  }
}

describe("countJson", () => {
  it("counts like the scanner of the text, and no more bytes than the text has", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const bytes = new TextEncoder().encode(JSON.stringify(value))
        const scanner = new JsonScanner()
        scanner.push(bytes)
        const { minBytes, nodes } = countAll(value)
        assert.strictEqual(nodes, scanner.nodes)
        assert.isAtMost(minBytes, bytes.length)
      })
    )
  })

  it("yields after a number of values, and stops at the limit", () => {
    const list = Array.from({ length: 1_000 }, () => 1)
    assert.strictEqual(countAll(list, never, 100).steps, 10)
    assert.strictEqual(countAll(list, ({ minBytes }) => minBytes > 500, 100).steps, 2)
  })

  it("ends for a cyclic value", () => {
    const value: Array<unknown> = []
    value.push(value, {})
    assert.isAbove(countAll(value, ({ nodes }) => nodes > 1_000).nodes, 1_000)
  })
})
