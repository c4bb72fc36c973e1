import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { assert, describe, it } from "vitest"
import { Catalog } from "../../../../src/engine/catalog/Catalog.ts"
import * as Configuration from "../../../../src/engine/catalog/Configuration.ts"
import type { EndpointConfig } from "../../../../src/engine/catalog/endpoint/Endpoint.ts"
import type { ModelConfig } from "../../../../src/engine/catalog/model/Model.ts"
import { unknownCapabilities } from "../../../../src/engine/catalog/model/VideoCapabilities.ts"
import * as Bits from "../../../../src/domains/listing/BitSet.ts"
import { findMatches } from "../../../../src/domains/listing/findMatches.ts"
import * as ModelIndex from "../../../../src/domains/listing/ModelIndex.ts"
import type { ModelQuery } from "../../../../src/domains/listing/ModelQuery.ts"
import {
  makeContextRule,
  makeOutputRule
} from "../../../../src/routing/plan/rules/capabilityRules.ts"
import type { DecisionCapability } from "../../../../src/engine/upstreams/DecisionCapability.ts"
import type { Upstream } from "../../../../src/engine/upstreams/Upstream.ts"
import { makeCandidate } from "../../../routing/makeCandidate.ts"

const decide: DecisionCapability = {
  decide: () => Effect.die("not called"),
  estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 })
}
const chat: NonNullable<Upstream["chat"]> = {
  complete: () => Effect.die("not called"),
  stream: () => Stream.die("not called"),
  estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 })
}

const upstreams: ReadonlyArray<Upstream> = [
  { slug: "judge", name: "Judge", decisions: decide },
  { slug: "talk", name: "Talk", chat },
  { slug: "over-chat", name: "Over chat", chat, decisions: { ...decide, usesChat: true } },
  { slug: "both", name: "Both", chat, decisions: decide }
]

const at = (provider: string, rest: Partial<EndpointConfig> = {}): EndpointConfig => ({
  provider,
  price: {},
  ...rest
})
const makeModelConfig = (id: string, ...providers: ReadonlyArray<string>): ModelConfig => ({
  id,
  endpoints: providers.map((provider) => at(provider))
})

const configs: ReadonlyArray<ModelConfig> = [
  makeModelConfig("a/judge", "judge"),
  makeModelConfig("a/talk", "talk"),
  makeModelConfig("a/over-chat", "over-chat"),
  makeModelConfig("a/gateway", "both"),
  makeModelConfig("a/mixed", "talk", "judge"),
  {
    ...makeModelConfig("a/stated", "both"),
    card: { architecture: { output_modalities: ["decisions"] } }
  },
  { ...makeModelConfig("a/film", "both"), video: unknownCapabilities }
]

const configuration = Configuration.make(1, upstreams, configs)

const getModality = (id: string) => configuration.resolve(id)?.model.card.architecture.modality

const findIds = (query: ModelQuery): ReadonlyArray<string> => {
  const index = ModelIndex.make(configuration)
  const bits = findMatches(index, query, 0)
  return index.models.filter((_, place) => Bits.has(bits, place)).map(({ id }) => id)
}

describe("the outputs of a model", () => {
  it.each([
    ["a/judge", "text->decisions"],
    ["a/talk", "text->text"],
    ["a/over-chat", "text->text"],
    ["a/gateway", "text->text"],
    ["a/mixed", "text->text+decisions"],
    ["a/stated", "text->decisions"],
    ["a/film", "text->video"]
  ])("of %s is %s", (id, modality) => {
    assert.strictEqual(getModality(id), modality)
  })

  it.each([
    ["output_image", "text->image"],
    ["input_image", "text+image->image"],
    ["input_reference", "text+image->image"]
  ] as const)("of images with a price for %s is %s", (billable, modality) => {
    const images = { prices: [{ billable, unit: "image", usd: "0.01" } as const] }
    const priced = { id: "a/paint", endpoints: [at("talk", { images })] }
    const made = Configuration.make(1, upstreams, [priced]).resolve("a/paint")
    assert.strictEqual(made?.model.card.architecture.modality, modality)
  })

  it("is the listed type: models that only answer Decisions do not output text", () => {
    assert.deepStrictEqual(findIds({ outputModalities: ["text"] }), [
      "a/talk",
      "a/over-chat",
      "a/gateway",
      "a/mixed"
    ])
    assert.deepStrictEqual(findIds({ outputModalities: ["decisions"] }), [
      "a/judge",
      "a/over-chat",
      "a/mixed",
      "a/stated"
    ])
    assert.deepStrictEqual(findIds({ outputModalities: ["video"] }), ["a/film"])
  })
})

const makeModel = (config: Partial<ModelConfig>) =>
  Configuration.make(1, upstreams, [{ ...makeModelConfig("a/b", "talk"), ...config }]).models[0]!

const getTokenLimits = (config: Partial<ModelConfig>) => {
  const { card, contextLength } = makeModel(config)
  const { context_length, max_completion_tokens } = card.top_provider
  return [card.context_length, context_length, max_completion_tokens, contextLength]
}

describe("the numbers of a model card", () => {
  it("are null or absent when unknown, and never 0", () => {
    assert.deepStrictEqual(getTokenLimits({}), [null, undefined, undefined, undefined])
    assert.deepStrictEqual(
      getTokenLimits({
        card: { context_length: 0, top_provider: { context_length: 0, max_completion_tokens: 0 } }
      }),
      [null, undefined, undefined, undefined]
    )
    assert.deepStrictEqual(getTokenLimits({ endpoints: [at("talk", { contextLength: 4_096 })] }), [
      4_096,
      4_096,
      undefined,
      4_096
    ])
    assert.deepStrictEqual(
      getTokenLimits({
        endpoints: [at("talk", { contextLength: 128_000, maxCompletionTokens: 16_000 })]
      }),
      [128_000, 128_000, 16_000, 128_000]
    )
    assert.deepStrictEqual(getTokenLimits({ card: { top_provider: { context_length: 32_000 } } }), [
      32_000,
      32_000,
      undefined,
      32_000
    ])
  })

  it("have the tokenizer Other and the instruct type none when unknown", () => {
    const { architecture } = makeModel({}).card
    assert.strictEqual(architecture.tokenizer, "Other")
    assert.strictEqual(architecture.instruct_type, "none")
  })

  it("that are unknown reject no request", () => {
    const { endpoints } = makeModel({})
    const demand = { parameters: [], inputTokens: 100_000, outputTokens: 20_000 }
    for (const rule of [makeContextRule(demand), makeOutputRule(demand)]) {
      assert.isUndefined(
        rule.findViolation({ ...makeCandidate({ provider: "talk" }), endpoint: endpoints[0]! })
      )
    }
  })

  it("that are unknown are logged once, at the start", async () => {
    const warned: Array<unknown> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel === "Warn") warned.push(message)
    })
    const quiet = [
      { id: "a/known", endpoints: [at("talk", { contextLength: 1 })] },
      // Nobody chooses them by how much they read.
      ...["speech", "transcription", "image"].map((made) => ({
        id: `a/${made}`,
        card: { architecture: { output_modalities: [made] } },
        endpoints: [at("talk")]
      }))
    ]
    const start = (models: ReadonlyArray<ModelConfig>) =>
      Effect.runPromise(
        Effect.gen(function* () {
          const catalog = yield* Catalog
          yield* catalog.replace({ models: [...models, ...configs] })
        }).pipe(
          Effect.provide(
            Catalog.layer({ upstreams, models }).pipe(
              Layer.provide(FetchHttpClient.layer),
              Layer.provide(Logger.layer([logger]))
            )
          )
        )
      )
    await start(quiet)
    assert.deepStrictEqual(warned, [])
    await start([
      ...quiet,
      ...Array.from({ length: 7 }, (_, index) => makeModelConfig(`a/unknown-${index}`, "talk"))
    ])
    assert.lengthOf(warned, 1)
    assert.match(String(warned[0]), /^7 models state no contextLength.*shows none/)
    assert.include(String(warned[0]), "a/unknown-4 and 2 others")
  })
})
