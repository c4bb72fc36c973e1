import * as fc from "fast-check"
import { expect, test } from "vitest"
import { overlapWeights } from "../../src/demo/overlapWeights.ts"

const words = (...list: ReadonlyArray<string>) => new Set(list)

test("each shared word multiplies the weight by e", () => {
  const weights = overlapWeights(words("charged", "refund"), [
    words("charged", "refund", "invoice"),
    words("refunded", "charged2"),
    words("crash")
  ])
  expect(weights[0]).toBe(1)
  expect(weights[1]).toBeCloseTo(Math.exp(-2), 12)
  expect(weights[2]).toBeCloseTo(Math.exp(-2), 12)
})

test("a word that all options share tells nothing apart", () => {
  const weights = overlapWeights(words("customer"), [words("customer"), words("customer")])
  expect(weights).toEqual([1, 1])
})

test("without overlap all options weigh the same", () => {
  expect(overlapWeights(words("hello"), [words("a"), words(), words("b", "c")])).toEqual([1, 1, 1])
})

test("weights lie in 0..1 and the greatest is 1, whatever the words", () => {
  const someWords = fc
    .array(fc.constantFrom("a", "b", "c", "d", "__proto__"))
    .map((w) => new Set(w))
  fc.assert(
    fc.property(someWords, fc.array(someWords, { minLength: 1 }), (text, options) => {
      const weights = overlapWeights(text, options)
      expect(weights).toHaveLength(options.length)
      expect(Math.max(...weights)).toBe(1)
      expect(weights.every((weight) => weight > 0)).toBe(true)
    })
  )
})
