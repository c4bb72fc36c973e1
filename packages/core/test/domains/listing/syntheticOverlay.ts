/**
 * Synthetic values for what neither the list nor the table has. They depend on the model's
 * position, so that every run has the same ones.
 */
import type { CatalogOverlay } from "../../../src/engine/catalog/CatalogOverlay.ts"
import { categories } from "../../../src/engine/catalog/model/Category.ts"
import type { EndpointConfig } from "../../../src/engine/catalog/endpoint/Endpoint.ts"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"
import type { CardConfig } from "../../../src/engine/catalog/model/ModelCard.ts"

/** They serve models without an endpoint in the table. */
export const syntheticProviders = ["harbour", "Meadow", "quarry"] as const

export const makeSyntheticOverlay = (models: ReadonlyArray<ModelConfig>): CatalogOverlay =>
  Object.fromEntries(
    models.map((model, place) => {
      const card = makeCard(place)
      return [
        model.id,
        {
          endpoints: ((model.endpoints ?? []).length === 0
            ? makeEndpoints(model, place)
            : (model.endpoints ?? [])
          ).map((endpoint, rank) => withTypicalPerformance(endpoint, mixSeed(place, rank))),
          ...(place % 5 === 0
            ? undefined
            : {
                categories: [
                  categories[place % categories.length]!,
                  categories[mixSeed(place, 1) % categories.length]!
                ]
              }),
          ...(place % 3 === 0 ? undefined : { toolSuccessRate: (mixSeed(place, 2) % 101) / 100 }),
          ...(place % 3 === 1 ? { distillable: true } : undefined),
          ...(place % 7 === 2 ? { family: `family-${place % 4}` } : undefined),
          ...(place % 23 === 7 ? { hidden: true } : undefined),
          ...(card === undefined ? undefined : { card })
        }
      ]
    })
  )

/** A number from two numbers, without a pattern that a test could depend on. */
const mixSeed = (one: number, other: number): number => {
  const hash = Math.imul(one + 1, 0x9e37_79b1) ^ Math.imul(other + 1, 0x85eb_ca6b)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d) >>> 8
}

/** Few different numbers, so that many models share one. */
const score = (seed: number): number => (seed % 120) / 2

const outputs = ["embeddings", "video", "rerank", "decisions", "speech", "transcription"]

const makeCard = (index: number): CardConfig | undefined => {
  if (index % 4 === 3) return undefined
  const arenas = mixSeed(index, 6) % 4
  return {
    benchmarks: {
      ...(index % 8 === 2
        ? undefined
        : {
            artificial_analysis: {
              intelligence_index: mixSeed(index, 3) % 5 === 0 ? null : score(mixSeed(index, 3)),
              coding_index: mixSeed(index, 4) % 5 === 0 ? null : score(mixSeed(index, 4)),
              ...(index % 9 === 1 ? undefined : { agentic_index: score(mixSeed(index, 5)) })
            }
          }),
      design_arena: Array.from({ length: arenas }, (_, arena) => ({
        arena: `arena-${arena}`,
        category: "website",
        elo: 900 + (mixSeed(index, 10 + arena) % 400),
        rank: 1 + arena,
        win_rate: 50
      }))
    },
    ...(index % 11 === 4
      ? {
          architecture: {
            input_modalities: ["text", "Video", "audio"].slice(0, 1 + (index % 3)),
            output_modalities: [outputs[index % outputs.length]!, ...(index % 2 ? ["text"] : [])],
            tokenizer: "Other"
          }
        }
      : undefined)
  }
}

const makeEndpoints = (
  { card = {} }: ModelConfig,
  index: number
): ReadonlyArray<EndpointConfig> => {
  const { prompt = "-1", completion = "-1" } = card.pricing ?? {}
  return [syntheticProviders, ["eu", "eu-2", "flex"]].flatMap(([...names], list) =>
    names.slice(0, mixSeed(index, 20 + list) % 3).map((name) => ({
      ...(list === 0 ? { provider: name } : { provider: syntheticProviders[0], variant: name }),
      price: { prompt, completion },
      ...(card.supported_parameters == null
        ? undefined
        : { supportedParameters: card.supported_parameters })
    }))
  )
}

const withTypicalPerformance = (endpoint: EndpointConfig, seed: number): EndpointConfig => ({
  ...endpoint,
  ...(seed % 4 === 0 ? { region: "eu" } : seed % 4 === 1 ? { region: "US" } : undefined),
  ...(seed % 6 === 0 ? { zdr: true } : undefined),
  typical: {
    ...(seed % 5 === 0 ? undefined : { latencyMillis: 200 + 50 * (seed % 60) }),
    ...(seed % 5 === 1 ? undefined : { throughput: 10 + (seed % 90) })
  }
})
