/** Three demo providers that serve two demo models at different prices, one that makes films, and one that chats. */
import type { ModelConfig } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { film, shapes } from "./film/film.ts"
import { failingEveryThird } from "./failingEveryThird.ts"
import { parrot } from "./parrot.ts"
import { wordOverlap } from "./wordOverlap.ts"

/** The cheapest is drawn most often, so it is the one that fails. */
export const demoUpstreams: ReadonlyArray<Upstream> = [
  {
    slug: "demo-bargain",
    name: "Demo Bargain (word overlap)",
    decisions: failingEveryThird(wordOverlap)
  },
  { slug: "demo-steady", name: "Demo Steady (word overlap)", decisions: wordOverlap },
  { slug: "demo-premium", name: "Demo Premium (word overlap)", decisions: wordOverlap }
]

export const demoModels: ReadonlyArray<ModelConfig> = ["overlap-1", "overlap-2"].map((model) => ({
  id: `demo/${model}`,
  name: `Demo (word overlap), ${model}`,
  created: 1_795_000_000,
  categories: ["trivia"],
  card: {
    description:
      "Counts the words a question shares with the content. Fast, free and simple-minded."
  },
  endpoints: [
    { provider: "demo-bargain", model, price: { prompt: "0.00000002", completion: "0.00000004" } },
    { provider: "demo-steady", model, price: { prompt: "0.00000004", completion: "0.00000008" } },
    { provider: "demo-premium", model, price: { prompt: "0.0000001", completion: "0.0000002" } }
  ].map((endpoint) => ({ ...endpoint, data: { collects: false, trains: false, retains: false } }))
}))

export const demoStudio: Upstream = {
  slug: "demo-studio",
  name: "Demo Studio (films of one colour)",
  videos: film
}

export const demoFilm: ModelConfig = {
  id: "demo/film-1",
  name: "Demo (film of one colour), film-1",
  created: 1_795_000_000,
  card: {
    description:
      "A silent film of one colour that slowly turns into another. Ready in five seconds.",
    architecture: { input_modalities: ["text"], output_modalities: ["video"] }
  },
  video: {
    supported_resolutions: null,
    supported_aspect_ratios: shapes,
    supported_sizes: null,
    supported_durations: [2, 4, 8],
    supported_frame_images: null,
    generate_audio: false,
    seed: true,
    creativity: null,
    upscale_factor: null,
    allowed_passthrough_parameters: [],
    pricing_skus: { duration_seconds: "0.001" }
  },
  endpoints: [
    {
      provider: "demo-studio",
      model: "film-1",
      price: { prompt: "0", completion: "0" },
      data: { collects: false, trains: false, retains: false }
    }
  ]
}

export const demoAviary: Upstream = {
  slug: "demo-aviary",
  name: "Demo Aviary (repeats what it is told)",
  chat: parrot
}

export const demoParrot: ModelConfig = {
  id: "demo/parrot-1",
  name: "Demo (repeats what it is told), parrot-1",
  created: 1_795_000_000,
  card: {
    description: "Repeats the last message, twenty words a second. It understands none of them."
  },
  endpoints: [
    {
      provider: "demo-aviary",
      model: "parrot-1",
      price: { prompt: "0.00000001", completion: "0.00000002" },
      supportedParameters: ["max_tokens", "max_completion_tokens"],
      data: { collects: false, trains: false, retains: false }
    }
  ]
}
