/** A provider that makes images, speaks and transcribes, and a model for each. */
import type { ModelConfig } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { audioOf, imageOf } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const usage = { inputTokens: 3, outputTokens: 5 }
const estimateWorstCase = () => ({ inputTokens: 1_000, outputTokens: 1_000 })

export const fakeMediaProvider: Upstream = {
  slug: "media",
  name: "Media",
  images: {
    generate: ({ n }) =>
      Effect.succeed({ images: Array.from({ length: n }, () => ({ base64: imageOf() })), usage }),
    estimateWorstCase
  },
  speech: {
    speak: ({ format, input }) =>
      Stream.make(
        { type: "audio", bytes: audioOf(format, input) } as const,
        {
          type: "end",
          usage
        } as const
      ),
    estimateWorstCase
  },
  transcription: {
    transcribe: () => Effect.succeed({ text: "It is calm.", usage }),
    estimateWorstCase
  }
}

const toModel = (id: string, output: string): ModelConfig => ({
  id,
  card: { architecture: { output_modalities: [output] } },
  endpoints: [{ provider: "media", price: { prompt: "0", completion: "0" } }]
})

export const mediaModels: ReadonlyArray<ModelConfig> = [
  toModel("proof/paint", "image"),
  toModel("proof/voice", "speech"),
  toModel("proof/ears", "transcription")
]
