import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { toListedModel } from "../prices/toListedModel.ts"
import { toPriceList, toUsdPerToken } from "../prices/toPriceList.ts"

const text = { input: ["text", "pdf"], output: ["text"] }
const limit = { context: 1_000, output: 100 }
const cost = { input: 3, output: 15 }

describe("toUsdPerToken", () => {
  it("divides by a million without rounding", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.integer({ min: 0, max: 6 }),
        (digits, decimals) => {
          const perMillion = Number(`${digits}e-${decimals}`)
          const [whole = "", fraction = ""] = (toUsdPerToken(perMillion) ?? "").split(".")
          const exact = BigInt(whole + fraction.padEnd(12, "0"))
          assert.strictEqual(exact, BigInt(digits) * 10n ** BigInt(6 - decimals))
          assert.notMatch(fraction, /0$/)
        }
      )
    )
  })

  it.each([
    [2, "0.000002"],
    [0.25, "0.00000025"],
    [1e-7, "0.0000000000001"],
    [2_000_000, "2"],
    [1e21, "1000000000000000"],
    [0, undefined],
    [undefined, undefined]
  ])("turns %s into %s", (perMillion, usd) => {
    assert.strictEqual(toUsdPerToken(perMillion), usd)
  })
})

describe("toPriceList", () => {
  it("charges caches of Claude for an hour twice the prompt", () => {
    const claude = { input: 5, output: 25, cache_read: 0.5, cache_write: 6.25 }
    assert.deepStrictEqual(
      toPriceList("anthropic", "claude-opus-4-8", { modalities: text, limit, cost: claude }),
      {
        prompt: "0.000005",
        completion: "0.000025",
        input_cache_read: "0.0000005",
        input_cache_write: "0.00000625",
        input_cache_write_1h: "0.00001",
        web_search: "-1"
      }
    )
  })

  it("keeps prices of audio and of reasoning", () => {
    const heard = { ...cost, input_audio: 10, output_audio: 20, reasoning: 15 }
    assert.deepStrictEqual(toPriceList("acme", "small", { modalities: text, limit, cost: heard }), {
      prompt: "0.000003",
      completion: "0.000015",
      audio: "0.00001",
      audio_output: "0.00002",
      internal_reasoning: "0.000015",
      web_search: "-1"
    })
  })

  it("has prices of long prompts from their size at xAI, above it elsewhere", () => {
    const tiers = [{ tier: { type: "context", size: 200_000 }, input: 6, output: 20 }]
    const listSizes = (id: string) =>
      toPriceList("acme", id, {
        modalities: text,
        limit,
        cost: { ...cost, tiers }
      }).overrides?.map(({ min_prompt_tokens }) => min_prompt_tokens)
    assert.deepStrictEqual([listSizes("grok-5"), listSizes("gemini-4")], [[199_999], [200_000]])
  })

  it("keeps prices of long prompts, the smallest first", () => {
    const tiers = [
      { tier: { size: 256_000 }, input: 12, output: 30 },
      { tier: { type: "context", size: 128_000 }, input: 6, output: 20, cache_read: 0.6 }
    ]
    assert.deepStrictEqual(
      toPriceList("acme", "small", { modalities: text, limit, cost: { ...cost, tiers } }).overrides,
      [
        {
          min_prompt_tokens: 128_000,
          prompt: "0.000006",
          completion: "0.00002",
          input_cache_read: "0.0000006"
        },
        { min_prompt_tokens: 256_000, prompt: "0.000012", completion: "0.00003" }
      ]
    )
  })

  it("keeps prices of faster answers where the list says all of them", () => {
    const fast = {
      modes: {
        fast: { cost: { input: 6, output: 30 }, provider: { body: { service_tier: "priority" } } }
      }
    }
    const model = { modalities: text, limit, experimental: fast }
    const tiers = [{ tier: { size: 128_000 }, input: 6, output: 20 }]
    assert.deepStrictEqual(toPriceList("acme", "small", { ...model, cost }).overrides, [
      { service_tier: "priority", prompt: "0.000006", completion: "0.00003" }
    ])
    assert.deepStrictEqual(
      toPriceList("acme", "small", { ...model, cost: { ...cost, tiers } }).overrides?.map(
        ({ service_tier }) => service_tier
      ),
      [undefined]
    )
  })

  it("refuses prices by something unknown", () => {
    const tiers = [{ tier: { type: "weekday", size: 1 }, input: 6, output: 20 }]
    assert.throws(
      () => toPriceList("acme", "small", { modalities: text, limit, cost: { ...cost, tiers } }),
      /acme\/small has prices by weekday/
    )
  })
})

describe("toListedModel", () => {
  it("takes a price of 0 for an unknown one", () => {
    const free = { modalities: text, limit, cost: { input: 0, output: 0 } }
    assert.strictEqual(toListedModel("acme", "small", free), undefined)
    assert.strictEqual(toListedModel("acme", "small", { modalities: text, limit }), undefined)
  })

  it("leaves out what makes images, audio or videos", () => {
    const modalities = { input: ["text"], output: ["text", "image"] }
    assert.strictEqual(toListedModel("acme", "small", { modalities, limit, cost }), undefined)
  })

  it("knows models of embeddings by their names", () => {
    const modalities = { input: ["text"], output: ["text"] }
    assert.deepStrictEqual(
      toListedModel("acme", "text-embedding-9", {
        modalities,
        limit: { context: 8_191, output: 1_536 },
        cost: { input: 0.02, output: 0 }
      }),
      {
        price: { prompt: "0.00000002", completion: "0", web_search: "-1" },
        contextLength: 8_191,
        inputs: ["text"],
        outputs: ["embeddings"]
      }
    )
  })
})
