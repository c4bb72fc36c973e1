import * as fc from "fast-check"
import { expect, test } from "vitest"
import { computeOverlapWeights } from "../../src/demo/computeOverlapWeights.ts"

const toWords = (...list: ReadonlyArray<string>) => new Set(list)

test("each shared word multiplies the weight by e", () => {
  const weights = computeOverlapWeights(toWords("charged", "refund"), [
    toWords("charged", "refund", "invoice"),
    toWords("refunded", "charged2"),
    toWords("crash")
  ])
  expect(weights[0]).toBe(1)
  expect(weights[1]).toBeCloseTo(Math.exp(-2), 12)
  expect(weights[2]).toBeCloseTo(Math.exp(-2), 12)
})

test("a word of all options does not change the weights", () => {
  const weights = computeOverlapWeights(toWords("customer"), [
    toWords("customer"),
    toWords("customer")
  ])
  expect(weights).toEqual([1, 1])
})

test("without overlap all options have the same weight", () => {
  expect(
    computeOverlapWeights(toWords("hello"), [toWords("a"), toWords(), toWords("b", "c")])
  ).toEqual([1, 1, 1])
})

test("weights are between 0 and 1, and the greatest is 1, for any words", () => {
  const someWords = fc
    .array(fc.constantFrom("a", "b", "c", "d", "__proto__"))
    .map((w) => new Set(w))
  fc.assert(
    fc.property(someWords, fc.array(someWords, { minLength: 1 }), (text, options) => {
      const weights = computeOverlapWeights(text, options)
      expect(weights).toHaveLength(options.length)
      expect(Math.max(...weights)).toBe(1)
      expect(weights.every((weight) => weight > 0)).toBe(true)
    })
  )
})
