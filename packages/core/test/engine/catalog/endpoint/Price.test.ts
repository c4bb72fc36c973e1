import { assert, describe, it } from "vitest"
import * as BigDecimal from "effect/BigDecimal"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { scaleRuns } from "../../../../../../vitest.scope.ts"
import { computeCost, computeMaxCost } from "../../../../src/engine/catalog/endpoint/computeCost.ts"
import * as Price from "../../../../src/engine/catalog/endpoint/Price.ts"
import type { PriceList } from "../../../../src/engine/catalog/endpoint/PriceList.ts"
import * as NanoUsd from "../../../../src/values/usage/NanoUsd.ts"
import { describeWithReference } from "../../../reference.ts"

const cost = (list: PriceList, inputTokens: number, outputTokens: number) =>
  computeCost(Price.make(list), { inputTokens, outputTokens })

/** A whole multiple of 1e-23 USD. */
const decimal = (value: bigint) => `0.${String(value).padStart(23, "0")}`

describe("make", () => {
  it("treats an absent price as unknown or free, depending on its part", () => {
    const price = Price.make({})
    assert.isUndefined(price.prompt)
    assert.isUndefined(price.completion)
    for (const part of ["request", "image", "audio"] as const) {
      assert.isTrue(BigDecimal.isZero(price[part]!))
      assert.strictEqual(price.approximate[part], 0)
    }
    assert.isNaN(price.approximate.prompt)
    assert.isNaN(price.approximate.completion)
  })

  it('takes "-1" for unknown, and "0" for free', () => {
    const price = Price.make({ prompt: "-1", completion: "0" })
    assert.isUndefined(price.prompt)
    assert.strictEqual(price.approximate.completion, 0)
    assert.isFalse(Price.isKnown(price))
    assert.isFalse(Price.isKnown(Price.make({ prompt: "1" })))
    assert.isTrue(Price.isKnown(Price.make({ prompt: "0", completion: "0" })))
  })

  it('does not take a price per request of "-1" for free', () => {
    const price = Price.make({ prompt: "0", completion: "0", request: "-1", image: "-1" })
    assert.isUndefined(price.request)
    assert.isNaN(price.approximate.request)
    assert.isNaN(price.approximate.image)
    assert.isFalse(Price.isKnown(price))
    assert.isUndefined(computeCost(price, { inputTokens: 1, outputTokens: 1 }))
    assert.strictEqual(
      computeCost(price, { inputTokens: 1, outputTokens: 1, requests: 0 }),
      NanoUsd.zero
    )
  })

  it.each([
    "1e-999999999999",
    "1e999999999",
    "1e-41",
    `0.${"0".repeat(60)}1`,
    `1${"0".repeat(60)}`
  ])("rejects %s at once, before any arithmetic", (prompt) => {
    assert.throws(() => Price.make({ prompt }), RangeError, "price.prompt must be a decimal string")
  })

  it("charges per image, and does not guess an unknown price", () => {
    const usage = { inputTokens: 1, outputTokens: 0, images: 3 }
    const dear = Price.make({ prompt: "0.001", completion: "0", image: "0.25" })
    assert.strictEqual(computeCost(dear, usage), NanoUsd.parseUsd("0.751"))
    const unknown = Price.make({ prompt: "0", completion: "0", image: "-1" })
    assert.isUndefined(computeCost(unknown, usage))
    assert.strictEqual(computeCost(unknown, { ...usage, images: 0 }), NanoUsd.zero)
  })

  describe("the price of tokens with a separate price", () => {
    const list = {
      prompt: "0.01",
      completion: "0",
      audio: "0.1",
      input_cache_read: "0.001",
      input_cache_write: "0.02"
    }
    const usage = {
      inputTokens: 100,
      outputTokens: 0,
      cachedTokens: 50,
      cacheWriteTokens: 20,
      audioTokens: 10
    }
    const costs = (more: object, list_: PriceList = list) =>
      computeCost(Price.make(list_), { ...usage, ...more })

    it("applies only to those tokens of the prompt", () => {
      assert.strictEqual(costs({}), NanoUsd.parseUsd("1.65"))
    })

    it("defaults to the price of the prompt", () => {
      assert.strictEqual(costs({}, { prompt: "0.01", completion: "0" }), NanoUsd.parseUsd("1"))
    })

    it("is unknown if the price that it needs is unknown", () => {
      const unknown = { ...list, input_cache_read: "-1" }
      assert.isUndefined(costs({}, unknown))
      assert.strictEqual(costs({ cachedTokens: 0 }, unknown), NanoUsd.parseUsd("2.1"))
    })

    it("is not free under a spending limit when unknown", () => {
      assert.isTrue(Price.isKnown(Price.make(list)))
      for (const part of ["audio", "input_cache_read", "input_cache_write"] as const) {
        assert.isFalse(Price.isKnown(Price.make({ ...list, [part]: "-1" })), part)
      }
      assert.isTrue(Price.isKnown(Price.make({ ...list, web_search: "-1" })))
    })

    it("ignores invalid counts, and counts no more tokens than there are", () => {
      assert.strictEqual(costs({ cachedTokens: 1e9 }), NanoUsd.parseUsd("0.1"))
      const none = { cachedTokens: Number.NaN, cacheWriteTokens: -7, audioTokens: 0.5 }
      assert.strictEqual(costs(none), NanoUsd.parseUsd("1"))
    })
  })

  it("rejects values that are not strings, as in a file", () => {
    for (const [json, got] of [
      ["0.1", "0.1"],
      ["null", "null"],
      ['{"usd":"1"}', '{"usd":"1"}']
    ] as const) {
      const list = JSON.parse(`{"prompt":${json}}`) as PriceList
      assert.throws(
        () => Price.make(list),
        RangeError,
        `price.prompt must be a decimal string of USD, got ${got}`
      )
    }
  })

  it("keeps every decimal of a price", () => {
    const price = Price.make({ prompt: "0.00000012345678901234567", completion: "1e-23" })
    assert.strictEqual(BigDecimal.format(price.prompt!), "1.2345678901234567e-7")
    assert.strictEqual(price.approximate.prompt, Number("1.2345678901234567e-7"))
    assert.strictEqual(price.approximate.completion, 1e-23)
  })

  const parts = ["prompt", "completion", "request", "image", "audio"] as const
  const nonsense = ["", " ", "-2", "-0.5", "free", "1,5", "$1", "NaN", "Infinity", "0x1"]
  it.each(parts.flatMap((part) => nonsense.map((text) => [part, text] as const)))(
    'refuses the %s price "%s" by name',
    (part, text) => {
      assert.throws(
        () => Price.make({ [part]: text }),
        RangeError,
        `price.${part} must be a decimal string of USD, got "${text}"`
      )
    }
  )
})

describe("computeCost", () => {
  it.each([
    // 1,000 x 0.00000012345678901234567 USD = 123,456.78901234567 nano-USD.
    [{ prompt: "0.00000012345678901234567", completion: "0" }, 1_000, 0, 123_457n],
    // 0.4 + 0.4 nano-USD are rounded up once, to 1, and not each to 2.
    [{ prompt: "0.0000000004", completion: "0.0000000004" }, 1, 1, 1n],
    // 0.5 + 0.5 nano-USD are exactly 1.
    [{ prompt: "0.0000000005", completion: "0.0000000005" }, 1, 1, 1n],
    // Slightly more than 1.
    [{ prompt: "0.000000001", completion: "0.00000000000000000000001" }, 1, 1, 2n],
    // 0.15 and 0.60 USD per million: 15,000 x 150 + 2,000 x 600 nano-USD.
    [{ prompt: "0.00000015", completion: "0.0000006" }, 15_000, 2_000, 3_450_000n],
    [{ prompt: "0", completion: "0", request: "0.005" }, 7, 7, 5_000_000n],
    [{ prompt: "0.1", completion: "0.2" }, 3, 0, 300_000_000n],
    [{ prompt: "1e1", completion: "0" }, 2, 0, 20_000_000_000n],
    [{ prompt: "0", completion: "0" }, 1_000_000, 1_000_000, 0n]
  ])("of %j for %d and %d tokens is %d nano-USD", (list, input, output, nano) => {
    assert.strictEqual(cost(list, input, output), NanoUsd.make(nano))
  })

  it("charges a price per request for each request, by default one", () => {
    const price = Price.make({ prompt: "0", completion: "0", request: "0.0000000004" })
    const costs = [undefined, 0, 1, 5].map((requests) =>
      computeCost(price, {
        inputTokens: 1,
        outputTokens: 1,
        ...(requests === undefined ? undefined : { requests })
      })
    )
    assert.deepStrictEqual(costs, [1n, 0n, 1n, 2n].map(NanoUsd.make))
  })

  it("is unknown only when a price that it needs is unknown", () => {
    assert.isUndefined(cost({ completion: "1" }, 1, 0))
    assert.isUndefined(cost({ prompt: "1" }, 1, 1))
    assert.strictEqual(cost({ prompt: "0.000000001" }, 1, 0), NanoUsd.make(1n))
    assert.strictEqual(cost({}, 0, 0), NanoUsd.zero)
  })

  it("is never negative, for any counts of an upstream", () => {
    const list = { prompt: "0.001", completion: "0.001" }
    assert.strictEqual(cost(list, -5, 0), NanoUsd.zero)
    assert.strictEqual(cost(list, -5, 2), NanoUsd.make(2_000_000n))
    assert.strictEqual(cost(list, 0.5, 0), NanoUsd.make(1_000_000n))
  })

  it("is the exact sum, rounded up once, for any prices of up to 23 decimals", () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 22n })
    const tokens = fc.nat(2_000_000)
    fc.assert(
      fc.property(digits, digits, digits, tokens, tokens, (prompt, completion, request, i, o) => {
        const exact = prompt * BigInt(i) + completion * BigInt(o) + request
        // One nano-USD.
        const unit = 10n ** 14n
        const list = {
          prompt: decimal(prompt),
          completion: decimal(completion),
          request: decimal(request)
        }
        assert.strictEqual(cost(list, i, o), NanoUsd.make((exact + unit - 1n) / unit))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

describe("the maximum cost", () => {
  const list = {
    prompt: "1e-9",
    completion: "2e-9",
    audio: "10e-9",
    input_cache_write: "1.25e-9",
    audio_output: "20e-9",
    image_output: "30e-9",
    web_search: "100e-9"
  }
  const usage = { inputTokens: 1_000, outputTokens: 100 }
  const most = (more: object = {}, parts: PriceList = list) =>
    computeMaxCost(Price.make(parts), { ...usage, ...more })

  it.each([
    ["text that may be written into a cache", {}, 1_250 + 200],
    ["audio input", { audioTokens: 100 }, 900 * 1.25 + 1_000 + 200],
    ["an answer with audio", { audioOutputTokens: 100 }, 1_250 + 2_000],
    ["an answer with images", { imageOutputTokens: 100 }, 1_250 + 3_000],
    ["searches", { webSearches: 3 }, 1_250 + 200 + 300]
  ])("uses the highest price that may apply: %s", (_, more, nano) => {
    assert.strictEqual(most(more), NanoUsd.make(BigInt(nano)))
  })

  it("equals the cost without separate prices, and is unknown with an unknown one", () => {
    const plain = { prompt: "1e-9", completion: "2e-9" }
    assert.strictEqual(most({ audioTokens: 5, webSearches: 2 }, plain), NanoUsd.make(1_200n))
    assert.isUndefined(most({ webSearches: 1 }, { ...plain, web_search: "-1" }))
    assert.isUndefined(most({ audioOutputTokens: 1 }, { ...plain, audio_output: "-1" }))
  })

  it("is never below the actual cost, however the tokens are divided", () => {
    const share = fc.nat(1_000)
    fc.assert(
      fc.property(
        share,
        share,
        share,
        fc.nat(100),
        fc.nat(100),
        (read, kept, heard, said, drawn) => {
          const stated = {
            ...usage,
            cachedTokens: read,
            cacheWriteTokens: kept,
            audioTokens: heard,
            audioOutputTokens: said,
            imageOutputTokens: drawn
          }
          const cost = computeCost(Price.make(list), stated) ?? NanoUsd.zero
          assert.isTrue(
            cost <= (most({ audioTokens: 1_000, audioOutputTokens: 1, imageOutputTokens: 1 }) ?? 0n)
          )
        }
      )
    )
  })

  it("is bounded, so that sums of it fit into 64 bits", () => {
    assert.strictEqual(most({ outputTokens: Number.MAX_VALUE }), NanoUsd.maxAmount)
  })
})

describeWithReference("a price list of the reference", (path) => {
  it("has no unsupported parts", () => {
    const { components } = JSON.parse(readFileSync(path("wire/openapi.json"), "utf8")) as {
      readonly components: {
        readonly schemas: { readonly PublicPricing: { readonly properties: object } }
      }
    }
    const parts = Object.keys(components.schemas.PublicPricing.properties).filter(
      // A discount and conditions are no prices of parts.
      (name) => name !== "discount" && name !== "overrides"
    )
    const list = Object.fromEntries(parts.map((part) => [part, "1e-23"]))
    const { approximate: _, conditional: __, discount: ___, others, ...ranked } = Price.make(list)
    const carried = { ...ranked, ...others }
    assert.sameMembers(Object.keys(carried), parts)
    for (const price of Object.values(carried)) assert.strictEqual(price?.scale, 23)
  })

  it("is accepted unchanged", () => {
    const models = JSON.parse(readFileSync(path("data/models-snapshot.json"), "utf8")) as {
      readonly data: ReadonlyArray<{ readonly pricing: Readonly<Record<string, string>> }>
    }
    for (const { pricing } of models.data) {
      const {
        approximate: _,
        conditional: __,
        discount: ___,
        others,
        ...ranked
      } = Price.make(pricing)
      const carried: Readonly<Record<string, BigDecimal.BigDecimal | undefined>> = {
        ...ranked,
        ...others
      }
      for (const [part, text] of Object.entries(pricing)) {
        const price = carried[part]
        assert.strictEqual(price === undefined ? -1 : BigDecimal.toNumberUnsafe(price), +text)
      }
    }
  })
})
