/** What neither the list nor the table says of models, made up from each model's place so that every run has the same. */
import type { CatalogOverlay } from "../../src/catalog/CatalogOverlay.ts"
import { categories } from "../../src/catalog/Category.ts"
import type { EndpointConfig } from "../../src/catalog/Endpoint.ts"
import type { ModelConfig } from "../../src/catalog/Model.ts"
import type { CardConfig } from "../../src/catalog/ModelCard.ts"

/** They serve what nobody in the table does. */
export const madeUpProviders = ["harbour", "Meadow", "quarry"] as const

export const madeUpOverlay = (models: ReadonlyArray<ModelConfig>): CatalogOverlay =>
  Object.fromEntries(
    models.map((model, place) => {
      const card = cardOf(place)
      return [
        model.id,
        {
          endpoints: (model.endpoints.length === 0 ? servedBy(model, place) : model.endpoints).map(
            (endpoint, rank) => withFigures(endpoint, mixed(place, rank))
          ),
          ...(place % 5 === 0
            ? undefined
            : {
                categories: [
                  categories[place % categories.length]!,
                  categories[mixed(place, 1) % categories.length]!
                ]
              }),
          ...(place % 3 === 0 ? undefined : { toolSuccessRate: (mixed(place, 2) % 101) / 100 }),
          ...(place % 3 === 1 ? { distillable: true } : undefined),
          ...(place % 7 === 2 ? { family: `family-${place % 4}` } : undefined),
          ...(place % 23 === 7 ? { hidden: true } : undefined),
          ...(card === undefined ? undefined : { card })
        }
      ]
    })
  )

/** One number from two, without a pattern a test could lean on. */
const mixed = (one: number, other: number): number => {
  const hash = Math.imul(one + 1, 0x9e37_79b1) ^ Math.imul(other + 1, 0x85eb_ca6b)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d) >>> 8
}

/** Few different numbers, so that many models share one. */
const score = (seed: number): number => (seed % 120) / 2

const outputs = ["embeddings", "video", "rerank", "decisions", "speech", "transcription"]

const cardOf = (place: number): CardConfig | undefined => {
  if (place % 4 === 3) return undefined
  const arenas = mixed(place, 6) % 4
  return {
    benchmarks: {
      ...(place % 8 === 2
        ? undefined
        : {
            artificial_analysis: {
              intelligence_index: mixed(place, 3) % 5 === 0 ? null : score(mixed(place, 3)),
              coding_index: mixed(place, 4) % 5 === 0 ? null : score(mixed(place, 4)),
              ...(place % 9 === 1 ? undefined : { agentic_index: score(mixed(place, 5)) })
            }
          }),
      design_arena: Array.from({ length: arenas }, (_, arena) => ({
        arena: `arena-${arena}`,
        category: "website",
        elo: 900 + (mixed(place, 10 + arena) % 400),
        rank: 1 + arena,
        win_rate: 50
      }))
    },
    ...(place % 11 === 4
      ? {
          architecture: {
            input_modalities: ["text", "Video", "audio"].slice(0, 1 + (place % 3)),
            output_modalities: [outputs[place % outputs.length]!, ...(place % 2 ? ["text"] : [])],
            tokenizer: "Other"
          }
        }
      : undefined)
  }
}

const servedBy = ({ card = {} }: ModelConfig, place: number): ReadonlyArray<EndpointConfig> => {
  const { prompt = "-1", completion = "-1" } = card.pricing ?? {}
  return [madeUpProviders, ["eu", "eu-2", "flex"]].flatMap(([...names], list) =>
    names.slice(0, mixed(place, 20 + list) % 3).map((name) => ({
      ...(list === 0 ? { provider: name } : { provider: madeUpProviders[0], variant: name }),
      price: { prompt, completion },
      ...(card.supported_parameters == null
        ? undefined
        : { supportedParameters: card.supported_parameters })
    }))
  )
}

const withFigures = (endpoint: EndpointConfig, seed: number): EndpointConfig => ({
  ...endpoint,
  ...(seed % 4 === 0 ? { region: "eu" } : seed % 4 === 1 ? { region: "US" } : undefined),
  ...(seed % 6 === 0 ? { zdr: true } : undefined),
  typical: {
    ...(seed % 5 === 0 ? undefined : { latencyMillis: 200 + 50 * (seed % 60) }),
    ...(seed % 5 === 1 ? undefined : { throughput: 10 + (seed % 90) })
  }
})
