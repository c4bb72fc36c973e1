import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { copyJson } from "../../../src/values/json/parseJson.ts"

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  // Halves of pairs, and what JSON escapes.
  fc.string({
    unit: fc.constantFrom("a", '"', "\\", "\n", "\u0001", "é", "€", "\ud83d", "\ude00", "\u2028")
  })
)
const scalar = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, undefined, -0, Number.NaN, Infinity, 1e21, 5e-324)
)
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("value")),
    fc.dictionary(fc.oneof(text, fc.constantFrom("__proto__", "toString", "0", "1")), tie("value"))
  )
}))

describe("copyJson", () => {
  // Compared by their texts: V8 misreads some keys with escapes when it has seen objects of a similar shape.
  it("copies plain data as its text says, and counts the bytes of that", () => {
    fc.assert(
      fc.property(fc.dictionary(text, anything), (value) => {
        const copy = copyJson(value, 100)
        const written = JSON.stringify(value)
        expect(JSON.stringify(copy?.json)).toBe(written)
        expect(copy?.bytes).toBe(new TextEncoder().encode(written).length)
      }),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("leaves out what JSON does, and has its numbers", () => {
    const value = {
      a: undefined,
      b: () => 1,
      c: Symbol("c"),
      d: -0,
      e: [undefined, Number.NaN, -0]
    }
    expect(copyJson(value, 9)?.json).toStrictEqual({ d: 0, e: [null, null, 0] })
    const own: unknown = JSON.parse('{"__proto__":{"a":-0},"b":1}')
    expect(JSON.stringify(copyJson(own, 9)?.json)).toBe('{"__proto__":{"a":0},"b":1}')
  })

  it("keeps nothing of the value itself", () => {
    const list = [1]
    const copy = copyJson({ list }, 100)
    list.push(2)
    expect(copy?.json).toEqual({ list: [1] })
  })

  const cycle: Record<string, unknown> = {}
  cycle["self"] = cycle
  it.each([
    ["a date", { at: new Date() }],
    ["toJSON", { toJSON: () => "text" }],
    ["an object of a class", { of: new Map() }],
    ["a boxed text", { text: Object("text") }],
    ["a bigint", { count: 1n }],
    ["a cycle", cycle],
    ["too many levels", { a: { b: { c: {} } } }],
    ["a long text", { text: "a".repeat(70_000) }],
    ["many values", { list: Array.from({ length: 70_000 }, () => 1) }],
    ["nothing", undefined]
  ])("leaves %s to the text", (_, value) => {
    expect(copyJson(value, 3)).toBeUndefined()
  })
})
