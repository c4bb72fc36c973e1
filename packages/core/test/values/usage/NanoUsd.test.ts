import { assert, describe, it } from "vitest"
import * as BigDecimal from "effect/BigDecimal"
import fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"

const attempt = (convert: () => bigint): bigint | string => {
  try {
    return convert()
  } catch (error) {
    return String(error)
  }
}

describe("parseUsd", () => {
  it.each([
    ["0", 0n],
    ["1", 1_000_000_000n],
    ["12.50", 12_500_000_000n],
    ["0.000000001", 1n],
    ["1e-9", 1n],
    ["1e3", 1_000_000_000_000n],
    ["9007199.254740993", 9_007_199_254_740_993n],
    // A fraction of a nano-USD is never given away.
    ["0.0000000001", 1n],
    ["0.00000000100000000000001", 2n]
  ])("parses %s", (text, nano) => {
    assert.strictEqual(NanoUsd.parseUsd(text), NanoUsd.make(nano))
  })

  it.each(["", " ", "-1", "-0.01", "abc", "1,5", "1.2.3", "0x10", "NaN", "Infinity", "1e", "$5"])(
    'refuses "%s" and says what it wants',
    (text) => {
      assert.throws(
        () => NanoUsd.parseUsd(text),
        RangeError,
        `expected a decimal string of USD such as "12.50", got "${text}"`
      )
    }
  )
})

describe("fromUsdNumber", () => {
  it.each([
    [0, 0n],
    [0.25, 250_000_000n],
    // The result of 0.1 + 0.2.
    [0.30000000000000004, 300_000_000n],
    [0.7999999999999999, 800_000_000n],
    [1e-9, 1n],
    // More than floating-point noise, so it is rounded up.
    [1.001e-9, 2n],
    [1e-12, 1n],
    [1_000_000, 1_000_000_000_000_000n]
  ])("converts %d without floating-point noise", (usd, nano) => {
    assert.strictEqual(NanoUsd.fromUsdNumber(usd), NanoUsd.make(nano))
  })

  it("reads twelve decimals like parseUsd", () => {
    const amounts = fc.oneof(
      fc.double({ min: 0, noNaN: true, max: 1e6 }),
      fc.double({ noNaN: true })
    )
    fc.assert(
      fc.property(amounts, (usd) => {
        assert.strictEqual(
          attempt(() => NanoUsd.fromUsdNumber(usd)),
          attempt(() => NanoUsd.parseUsd(usd.toFixed(12)))
        )
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("converts every result of toUsdNumber, and sums of them", () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 11n }), { maxLength: 10 })
    fc.assert(
      fc.property(amounts, (amounts) => {
        const shown = amounts.map((amount) => NanoUsd.toUsdNumber(NanoUsd.make(amount)))
        const exact = amounts.reduce((sum, amount) => sum + amount, 0n)
        const usd = shown.reduce((sum, each) => sum + each, 0)
        assert.strictEqual(NanoUsd.fromUsdNumber(usd), NanoUsd.make(exact))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("rejects %d", (usd) => {
    assert.throws(() => NanoUsd.fromUsdNumber(usd), RangeError)
  })
})

describe("NanoUsd", () => {
  it("rounds up to whole nano-USD, for any decimal", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        fc.integer({ min: -10, max: 30 }),
        (digits, scale) => {
          const nano = NanoUsd.fromUsd(BigDecimal.make(digits, scale))
          // nano - 1 < digits / 10^scale * 10^9 <= nano, in whole numbers.
          const exact = digits * 10n ** BigInt(9 - Math.min(scale, 0))
          const unit = 10n ** BigInt(Math.max(scale, 0))
          assert.isTrue(nano * unit >= exact)
          assert.isTrue((nano - 1n) * unit < exact || nano === 0n)
        }
      ),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("converts to a number of USD", () => {
    assert.strictEqual(NanoUsd.toUsdNumber(NanoUsd.make(1n)), 1e-9)
    assert.strictEqual(NanoUsd.toUsdNumber(NanoUsd.make(12_500_000_000n)), 12.5)
    assert.strictEqual(NanoUsd.toUsdNumber(NanoUsd.zero), 0)
  })

  it("adds and compares", () => {
    const [one, two] = [NanoUsd.make(1n), NanoUsd.make(2n)]
    assert.strictEqual(NanoUsd.sum(one, two), NanoUsd.make(3n))
    assert.strictEqual(NanoUsd.max(one, two), two)
    assert.strictEqual(NanoUsd.max(two, one), two)
    assert.strictEqual(NanoUsd.min(one, two), one)
    assert.strictEqual(NanoUsd.min(two, one), one)
  })
})
