/** Three demo providers of two models at different prices, and one each for videos, chats and tool calls. */
import type { ModelConfig } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { toolCallingChat } from "./toolCallingChat.ts"
import { fakeVideos, shapes } from "./video/fakeVideos.ts"
import { failEveryThird } from "./failEveryThird.ts"
import { echoChat } from "./echoChat.ts"
import { wordOverlap } from "./wordOverlap.ts"

/** The cheapest one is chosen most often, so this one fails. */
export const demoUpstreams: ReadonlyArray<Upstream> = [
  {
    slug: "demo-bargain",
    name: "Demo Bargain (word overlap)",
    decisions: failEveryThird(wordOverlap)
  },
  { slug: "demo-steady", name: "Demo Steady (word overlap)", decisions: wordOverlap },
  { slug: "demo-premium", name: "Demo Premium (word overlap)", decisions: wordOverlap }
]

/** The demo models are not trained and retain nothing. */
const noDataRetention = { collects: false, trains: false, retains: false }
const contextLength = 32_768
const textCard = {
  architecture: {
    input_modalities: ["text"],
    output_modalities: ["text"],
    tokenizer: "Other",
    instruct_type: null
  },
  context_length: contextLength,
  default_parameters: null,
  per_request_limits: null,
  supported_voices: null,
  knowledge_cutoff: "2026-11-01",
  expiration_date: null
}

export const demoModels: ReadonlyArray<ModelConfig> = ["overlap-1", "overlap-2"].map((model) => ({
  id: `demo/${model}`,
  name: `Demo (word overlap), ${model}`,
  created: 1_795_000_000,
  categories: ["trivia"],
  card: {
    ...textCard,
    description:
      "Counts the words a question shares with the content. Fast, cheap and simple-minded.",
    architecture: { ...textCard.architecture, output_modalities: ["text", "decisions"] }
  },
  endpoints: [
    { provider: "demo-bargain", model, price: { prompt: "0.00000002", completion: "0.00000004" } },
    { provider: "demo-steady", model, price: { prompt: "0.00000004", completion: "0.00000008" } },
    { provider: "demo-premium", model, price: { prompt: "0.0000001", completion: "0.0000002" } }
  ].map((endpoint) => ({ ...endpoint, contextLength, data: noDataRetention }))
}))

export const demoVideoUpstream: Upstream = {
  slug: "demo-studio",
  name: "Demo Studio (films of one colour)",
  videos: fakeVideos
}

export const demoVideoModel: ModelConfig = {
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
      data: noDataRetention
    }
  ]
}

export const demoEchoUpstream: Upstream = {
  slug: "demo-aviary",
  name: "Demo Aviary (repeats what it is told)",
  chat: echoChat
}

export const demoEchoModel: ModelConfig = {
  id: "demo/parrot-1",
  name: "Demo (repeats what it is told), parrot-1",
  created: 1_795_000_000,
  family: "parrot",
  categories: ["roleplay"],
  card: {
    ...textCard,
    description: "Repeats the last message, twenty words a second. It understands none of them."
  },
  endpoints: [
    {
      provider: "demo-aviary",
      model: "parrot-1",
      price: { prompt: "0.00000001", completion: "0.00000002" },
      contextLength,
      supportedParameters: ["max_tokens", "max_completion_tokens"],
      data: noDataRetention
    }
  ]
}

export const demoToolUpstream: Upstream = {
  slug: "demo-office",
  name: "Demo Office (calls tools)",
  chat: toolCallingChat
}

export const demoToolModel: ModelConfig = {
  id: "demo/clerk-1",
  name: "Demo (calls tools), clerk-1",
  created: 1_795_000_000,
  family: "clerk",
  categories: ["programming"],
  toolSuccessRate: 1,
  card: {
    ...textCard,
    description: "Calls the first tool it is given with your words, and tells what the tool says."
  },
  endpoints: [
    {
      provider: "demo-office",
      model: "clerk-1",
      price: { prompt: "0.00000001", completion: "0.00000002" },
      contextLength,
      supportedParameters: ["tools", "tool_choice"],
      data: noDataRetention
    }
  ]
}
