/** A provider whose videos complete immediately. */
import type { ModelConfig } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const completedReport = { status: "completed", outputs: [{ index: 0 }] } as const

export const fakeVideoProvider: Upstream = {
  slug: "studio",
  name: "Studio",
  videos: {
    submit: ({ idempotencyKey }) =>
      Effect.succeed({ upstreamId: idempotencyKey, report: completedReport }),
    poll: () => Effect.succeed(completedReport),
    getContent: () =>
      Effect.succeed({
        contentType: "video/mp4",
        bytes: Stream.succeed(Uint8Array.of(1, 2, 3)),
        length: 3,
        contentRange: undefined,
        acceptsRanges: false
      }),
    estimateWorstCase: () => ({ videos: 1 })
  }
}

export const videoModel: ModelConfig = {
  id: "proof/film",
  card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
  endpoints: [{ provider: "studio", price: { prompt: "0", completion: "0" } }]
}

export const videoRequest = { model: "proof/film", prompt: "a tide pool" }
