import { assert, describe, it } from "@effect/vitest"
import { isPriceKnown, makeConfiguration, makePrice } from "@signalbox/core/catalog"
import { modelsDevPrices } from "../src/index.ts"

const { date, providers } = modelsDevPrices
const listed = Object.entries(providers).flatMap(([provider, models]) =>
  Object.entries(models).map(([name, model]) => ({ provider, name, model }))
)

describe("modelsDevPrices", () => {
  it("has a day", () => {
    assert.match(date, /^20\d\d-\d\d-\d\d$/)
    assert.isFalse(Number.isNaN(Date.parse(date)))
  })

  it("has prices that are known, and above 0 for prompts", () => {
    for (const { model, name, provider } of listed) {
      const at = `${provider} ${name}`
      assert.isTrue(isPriceKnown(makePrice(model.price)), at)
      assert.isAbove(Number(model.price.prompt), 0, at)
      assert.strictEqual(model.price.web_search, "-1", at)
    }
  })

  it("makes models that the catalog takes", () => {
    const upstreams = Object.keys(providers).map((slug) => ({ slug, name: slug }))
    const models = listed.map(({ model, name, provider }) => {
      const { contextLength, maxCompletionTokens, maxPromptTokens, price } = model
      const limits = { contextLength, maxCompletionTokens, maxPromptTokens }
      return {
        id: `${provider}/${name}`,
        endpoints: [
          {
            provider,
            price,
            ...Object.fromEntries(
              Object.entries(limits).filter(([, tokens]) => tokens !== undefined)
            )
          }
        ]
      }
    })
    assert.strictEqual(makeConfiguration(1, upstreams, models).models.length, listed.length)
  })

  it("has the models that the documentation names", () => {
    for (const [provider, name] of [
      ["openai", "gpt-5-mini"],
      ["anthropic", "claude-haiku-4-5"],
      ["google", "gemini-2.5-flash"]
    ] as const) {
      assert.isDefined(providers[provider]?.[name]?.contextLength, name)
    }
  })
})
