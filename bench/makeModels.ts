/** Makes catalogs of any size from the reference models, or from invented ones if there is no reference material. */
import { join } from "node:path"
import type { ModelConfig } from "../packages/core/src/engine/catalog/model/Model.ts"
import {
  applyOverlays,
  loadRealModels
} from "../packages/core/test/domains/listing/referenceCatalog.ts"

const folder = process.env["SIGNALBOX_REFERENCE"]

export const makeModels = (count: number): ReadonlyArray<ModelConfig> => {
  const base =
    folder === undefined ? makeSyntheticModels : loadRealModels((file) => join(folder, file))
  return applyOverlays(
    Array.from({ length: count }, (_, index) => {
      const model = base[index % base.length]!
      const copy = Math.floor(index / base.length)
      return copy === 0 ? model : copyModels(model, copy)
    })
  )
}

const copyModels = (model: ModelConfig, copy: number): ModelConfig => {
  // Without this, all copies would share one canonical slug.
  const { canonical_slug: _, ...card } = model.card ?? {}
  return {
    ...model,
    id: `${model.id}-copy${copy}`,
    name: `${model.name ?? model.id} ${copy}`,
    ...(model.created === undefined ? undefined : { created: model.created - 3_600 * copy }),
    card
  }
}

const words = ["swift", "deep", "clear", "small", "grand", "early", "quiet"]

const makeSyntheticModels: ReadonlyArray<ModelConfig> = Array.from({ length: 500 }, (_, index) => ({
  id: `author-${index % 60}/${words[index % 7]}-${words[(index * 3) % 5]}-${index}`,
  name: `Author ${index % 60}: ${words[index % 7]} ${words[(index * 3) % 5]} ${index}`,
  ...(index % 4 === 0 ? undefined : { created: 1_700_000_000 + index * 150_000 }),
  endpoints: [],
  card: {
    description: "A model of a size that descriptions have. ".repeat(10),
    context_length: 4_096 * (1 + ((index * 7) % 64)),
    architecture: { input_modalities: index % 2 ? ["text"] : ["text", "image"], tokenizer: "GPT" },
    pricing: {
      prompt: `0.00000${String(1 + ((index * 13) % 90)).padStart(2, "0")}`,
      completion: `0.0000${String(1 + ((index * 17) % 90)).padStart(2, "0")}`
    },
    supported_parameters: ["max_tokens", "tools", "seed", "top_k"].slice(0, 1 + (index % 4))
  }
}))
