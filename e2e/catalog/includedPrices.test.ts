/** The prices that come along with an instance. */
import { anthropic } from "@signalbox/anthropic"
import type { Options } from "@signalbox/core"
import { google } from "@signalbox/google"
import { Signalbox, SignalboxError } from "@signalbox/node"
import { groq, openai } from "@signalbox/openai"
import { modelsDevPrices } from "@signalbox/prices"
import { Signalbox as WebSignalbox } from "@signalbox/web"
import { assert, describe, it } from "vitest"

const messages = [{ role: "user", content: "Is it calm at sea?" }] as const
const upstreams = [openai({ apiKey: "sk-of-the-test" })]
const models = [{ id: "openai/gpt-5-mini", endpoints: [{ provider: "openai" }] }]

const listed = modelsDevPrices.providers["openai"]?.["gpt-5-mini"]

const withInstance = async <A>(
  options: Options,
  use: (instance: Signalbox) => Promise<A>,
  make: (options: Options) => Promise<Signalbox> = Signalbox.make
): Promise<A> => {
  const instance = await make(options)
  try {
    return await use(instance)
  } finally {
    await instance.close()
  }
}

/** The price of a prompt token of a model at OpenAI. */
const readPrice = async (options: Partial<Options>, endpoint: object = {}) =>
  withInstance(
    {
      upstreams,
      models: [{ id: "openai/gpt-5-mini", endpoints: [{ provider: "openai", ...endpoint }] }],
      ...options
    },
    async (instance) => (await instance.models.list()).data[0]?.pricing.prompt
  )

describe("prices included", () => {
  it.each([
    ["Node", Signalbox.make],
    ["the web", WebSignalbox.make]
  ])("are those of a model that states none, on %s", (_, make) =>
    withInstance(
      { upstreams, models },
      async (instance) => {
        const { data } = await instance.models.list()
        assert.strictEqual(data.length, 1)
        const [card] = data
        const { pricing, supported_parameters: parameters = [] } = card ?? {}
        assert.deepStrictEqual(
          [pricing?.prompt, pricing?.completion, card?.name, card?.context_length],
          [listed?.price.prompt, listed?.price.completion, listed?.name, listed?.contextLength]
        )
        assert.isTrue(parameters.includes("reasoning_effort"))
        assert.isFalse(parameters.includes("temperature"))
        const { ordered } = await instance.explain({ model: "openai/gpt-5-mini", messages })
        assert.isAbove(ordered[0]?.estimated_cost ?? 0, 0)
      },
      make
    )
  )

  it("make every known model available by a wildcard, at each provider under its own names", () =>
    withInstance(
      {
        upstreams: [
          ...upstreams,
          anthropic({ apiKey: "sk-of-the-test" }),
          google({ apiKey: "sk-of-the-test" }),
          groq({ apiKey: "sk-of-the-test" })
        ],
        models: [
          { id: "openai/gpt-5-mini", name: "Ours", endpoints: [{ provider: "openai" }] },
          { id: "openai/*", endpoints: [{ provider: "openai" }, { provider: "groq" }] },
          { id: "anthropic/claude-*", endpoints: [{ provider: "anthropic" }] },
          { id: "google/gemini-*", endpoints: [{ provider: "google-ai-studio" }] }
        ],
        overlay: { "openai/gpt-5": { aliases: ["best"] } }
      },
      async (instance) => {
        const { data } = await instance.models.list({ output_modalities: ["all"] })
        const ids = new Set(data.map(({ id }) => id))
        for (const id of ["openai/gpt-5", "openai/gpt-oss-120b", "google/gemini-2.5-pro"]) {
          assert.isTrue(ids.has(id), id)
        }
        assert.strictEqual(data.find(({ id }) => id === "openai/gpt-5-mini")?.name, "Ours")
        assert.isTrue(data.every(({ pricing }) => Number(pricing.prompt) > 0))
        const { models } = await instance.explain({ model: "best", messages })
        assert.deepStrictEqual(models, ["openai/gpt-5"])
      }
    ))

  it("leave an unknown price unknown, which says what to do where spending is limited", () =>
    withInstance(
      {
        upstreams,
        models: [{ id: "openai/gpt-unheard-of", endpoints: [{ provider: "openai" }] }],
        credits: { default: "5" }
      },
      async (instance) => {
        const { data } = await instance.models.list()
        assert.strictEqual(data[0]?.pricing.prompt, "-1")
        const error: unknown = await instance
          .chat({ model: "openai/gpt-unheard-of", messages })
          .catch((problem: unknown) => problem)
        if (!(error instanceof SignalboxError)) return assert.fail("no error")
        assert.deepStrictEqual([error.status, error.reason], [404, "constraint_filtered"])
        assert.match(error.message, /It needs a known price, because spending is limited$/)
      }
    ))

  it("give way to the host's own, and to none", async () => {
    const price = { prompt: "0.5", completion: "1" }
    const own = {
      ...modelsDevPrices,
      providers: { openai: { "gpt-5-mini": { price: { prompt: "0.0001", completion: "0.0002" } } } }
    }
    assert.strictEqual(await readPrice({}, { price, allowHighPrice: true }), "0.5")
    assert.strictEqual(await readPrice({}, { price: {} }), "-1")
    assert.strictEqual(await readPrice({ prices: own }), "0.0001")
    assert.strictEqual(await readPrice({ prices: () => Promise.resolve(own) }), "0.0001")
    assert.strictEqual(await readPrice({ prices: false }), "-1")
  })

  it("are not loaded where every endpoint states its price, or is at a server of the host", async () => {
    let loads = 0
    const prices = async () => {
      loads += 1
      return modelsDevPrices
    }
    await withInstance(
      {
        upstreams: [
          ...upstreams,
          openai({ slug: "own", name: "Own", baseUrl: "http://127.0.0.1:9/v1" })
        ],
        models: [
          { id: "openai/gpt-5-mini", endpoints: [{ provider: "openai", price: {} }] },
          { id: "acme/small", endpoints: [{ provider: "own" }] }
        ],
        prices
      },
      async () => assert.strictEqual(loads, 0)
    )
    await withInstance({ upstreams, models, prices }, async () => assert.strictEqual(loads, 1))
  })

  it("say why a wildcard stands for nothing", async () => {
    const own = openai({ slug: "own", name: "Own", baseUrl: "http://127.0.0.1:9/v1" })
    const problem: unknown = await Signalbox.make({
      upstreams: [own],
      models: [{ id: "openai/*", endpoints: [{ provider: "own" }] }]
    }).catch((error: unknown) => error)
    assert.match(
      String(problem),
      /^RangeError: models\.0: model "openai\/\*": the models of the provider "own" are not known/
    )
  })
})
