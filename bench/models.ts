/** Catalogs of any size: the reference models over and over, or made up where the reference material is not there. */
import { join } from "node:path"
import type { ModelConfig } from "../packages/core/src/catalog/Model.ts"
import { completed, realModels } from "../packages/core/test/listing/referenceCatalog.ts"

const folder = process.env["SIGNALBOX_REFERENCE"]

export const modelsOf = (count: number): ReadonlyArray<ModelConfig> => {
  const base = folder === undefined ? madeUp : realModels((file) => join(folder, file))
  return completed(
    Array.from({ length: count }, (_, place) => {
      const model = base[place % base.length]!
      const copy = Math.floor(place / base.length)
      return copy === 0 ? model : copied(model, copy)
    })
  )
}

const copied = (model: ModelConfig, copy: number): ModelConfig => {
  // Else all copies would share one.
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

const madeUp: ReadonlyArray<ModelConfig> = Array.from({ length: 500 }, (_, place) => ({
  id: `author-${place % 60}/${words[place % 7]}-${words[(place * 3) % 5]}-${place}`,
  name: `Author ${place % 60}: ${words[place % 7]} ${words[(place * 3) % 5]} ${place}`,
  ...(place % 4 === 0 ? undefined : { created: 1_700_000_000 + place * 150_000 }),
  endpoints: [],
  card: {
    description: "A model of a size that descriptions have. ".repeat(10),
    context_length: 4_096 * (1 + ((place * 7) % 64)),
    architecture: { input_modalities: place % 2 ? ["text"] : ["text", "image"], tokenizer: "GPT" },
    pricing: {
      prompt: `0.00000${String(1 + ((place * 13) % 90)).padStart(2, "0")}`,
      completion: `0.0000${String(1 + ((place * 17) % 90)).padStart(2, "0")}`
    },
    supported_parameters: ["max_tokens", "tools", "seed", "top_k"].slice(0, 1 + (place % 4))
  }
}))
