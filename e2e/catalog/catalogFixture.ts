/** A small catalog in which every filter selects a different subset and every sort a different order. */
import type { ModelConfig } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const daySeconds = 86_400

/** The time `days` and a half days ago; the half keeps tests away from the boundary of a day. */
const toCreated = (days: number): number =>
  Math.floor(Date.now() / 1000) - days * daySeconds - daySeconds / 2

/** Converts USD per million tokens to the catalog's USD per token. */
const makePrice = (prompt: number, completion: number) => ({
  prompt: `${prompt}e-6`,
  completion: `${completion}e-6`
})

const makeArenaScore = (name: string, elo: number) => ({
  arena: name,
  category: "website",
  elo,
  rank: 1,
  win_rate: 50.5
})

/** Answers every question with its first option, and counts a byte as a token. */
const makeProvider = (
  slug: string,
  name: string,
  metadata: Upstream["metadata"] = {}
): Upstream => ({
  slug,
  name,
  metadata,
  // The default output is text; models with other outputs state them.
  chat: {
    complete: () => Effect.die(new Error("unexpected chat")),
    stream: () => Stream.die(new Error("unexpected chat")),
    estimateWorstCase: () => ({ inputTokens: 10_000, outputTokens: 10_000 })
  },
  decisions: {
    decide: ({ contentBytes, questions }) =>
      Effect.succeed({
        verdicts: new Map(Object.keys(questions).map((key) => [key, { weights: [1, 0] }])),
        usage: { inputTokens: contentBytes, outputTokens: 1 },
        method: "native"
      }),
    estimateWorstCase: () => ({ inputTokens: 10_000, outputTokens: 10_000 })
  }
})

export const providers: ReadonlyArray<Upstream> = [
  makeProvider("first", "First", {
    privacyPolicyUrl: "https://first.example/privacy",
    termsOfServiceUrl: "https://first.example/terms",
    statusPageUrl: "https://first.example/status",
    headquarters: "CH",
    datacenters: ["CH", "DE"]
  }),
  makeProvider("second", "Second House"),
  makeProvider("third", "Third")
]

/** In the order of the list, newest first. */
export const textModels = [
  "acme/alpha",
  "acme/beta",
  "bolt/gamma",
  "bolt/delta",
  "corp/epsilon"
] as const

export const otherModels = ["acme/picture", "acme/judge", "bolt/film"] as const

/** Hosts may list models in any order. */
export const catalogFixture: ReadonlyArray<ModelConfig> = [
  {
    id: "corp/epsilon",
    name: "Epsilon",
    created: toCreated(50),
    endpoints: [{ provider: "third", price: {} }]
  },
  {
    id: "acme/beta",
    name: "Beta One",
    family: "sage",
    created: toCreated(20),
    categories: ["programming", "legal"],
    toolSuccessRate: 0.9,
    card: {
      context_length: 32_000,
      architecture: { input_modalities: ["text", "image"], tokenizer: "Claude" },
      benchmarks: {
        artificial_analysis: { intelligence_index: 50, coding_index: 40, agentic_index: 5 },
        design_arena: [makeArenaScore("models", 1300)]
      }
    },
    endpoints: [
      {
        provider: "second",
        price: makePrice(2, 2),
        supportedParameters: ["tools"],
        typical: { latencyMillis: 900, throughput: 90 }
      }
    ]
  },
  {
    id: "acme/alpha",
    name: "Alpha One",
    family: "sage",
    created: toCreated(10),
    distillable: true,
    categories: ["programming"],
    toolSuccessRate: 0.99,
    card: {
      canonical_slug: "acme/alpha-20260101",
      description: "The first of them.",
      context_length: 8_000,
      architecture: { tokenizer: "GPT", instruct_type: "chatml" },
      default_parameters: { temperature: 0.7, top_p: null, top_k: 40 },
      per_request_limits: { prompt_tokens: 7_000, completion_tokens: 1_000 },
      knowledge_cutoff: "2025-06-30",
      expiration_date: "2027-01-01",
      hugging_face_id: "acme/alpha",
      reasoning: { mandatory: false, default_effort: "high", supported_efforts: ["high", null] },
      benchmarks: {
        artificial_analysis: { intelligence_index: 70, coding_index: 20.5, agentic_index: 45 },
        design_arena: [makeArenaScore("models", 1000)]
      }
    },
    endpoints: [
      {
        provider: "first",
        price: { ...makePrice(1, 4), input_cache_read: "1e-7", request: "0" },
        region: "us",
        contextLength: 8_000,
        maxPromptTokens: 7_000,
        maxCompletionTokens: 1_000,
        quantization: "fp8",
        supportedParameters: ["tools", "tool_choice", "temperature"],
        zdr: true,
        implicitCaching: true,
        typical: { latencyMillis: 300, throughput: 20 }
      },
      { provider: "second", variant: "flex", price: makePrice(0.5, 1) }
    ]
  },
  {
    id: "bolt/delta",
    name: "Delta",
    created: toCreated(40),
    card: { context_length: 4_000, architecture: { tokenizer: "Llama4" } },
    // Multiplied by a million as floats, these prices would be slightly too low and too high.
    endpoints: [{ provider: "third", price: makePrice(9.8, 25.4), region: "us", zdr: true }]
  },
  {
    id: "bolt/gamma",
    name: "Gamma",
    created: toCreated(30),
    distillable: true,
    categories: ["marketing/seo"],
    toolSuccessRate: 0.5,
    card: {
      context_length: 200_000,
      architecture: { input_modalities: ["text", "file"], tokenizer: "GPT" },
      benchmarks: {
        artificial_analysis: { intelligence_index: 30, coding_index: 60, agentic_index: 25 },
        design_arena: [makeArenaScore("builder", 900), makeArenaScore("models", 1200)]
      }
    },
    endpoints: [
      {
        provider: "first",
        variant: "eu",
        price: makePrice(0, 0),
        region: "eu",
        supportedParameters: ["temperature"],
        typical: { latencyMillis: 100, throughput: 50 }
      }
    ]
  },
  {
    id: "bolt/gamma:free",
    name: "Gamma (free)",
    created: toCreated(30),
    hidden: true,
    endpoints: [{ provider: "third", price: makePrice(0, 0) }]
  },
  {
    id: "acme/picture",
    created: toCreated(60),
    card: { architecture: { output_modalities: ["image"] } },
    endpoints: [{ provider: "first", price: makePrice(1, 1) }]
  },
  {
    id: "acme/judge",
    created: toCreated(70),
    card: { architecture: { output_modalities: ["decisions"] } },
    endpoints: [{ provider: "first", price: makePrice(1, 1), zdr: true }]
  },
  {
    id: "bolt/film",
    name: "Film",
    created: toCreated(80),
    card: { architecture: { output_modalities: ["video"] }, pricing: { request: "0.5" } },
    endpoints: [],
    video: {
      supported_resolutions: ["720p", "1080p"],
      supported_aspect_ratios: ["16:9"],
      supported_sizes: ["1280x720"],
      supported_durations: [4, 8],
      supported_frame_images: ["first_frame"],
      generate_audio: true,
      seed: null,
      creativity: null,
      upscale_factor: { min: 1, max: 4 },
      allowed_passthrough_parameters: ["style"],
      pricing_skus: { per_video_second: "0.1" }
    }
  }
]
