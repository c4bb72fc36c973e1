/** A provider whose videos are done as soon as they are asked for. */
import type { ModelConfig } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const completed = { status: "completed", outputs: [{ index: 0 }] } as const

export const studio: Upstream = {
  slug: "studio",
  name: "Studio",
  videos: {
    submit: ({ idempotencyKey }) =>
      Effect.succeed({ upstreamId: idempotencyKey, report: completed }),
    poll: () => Effect.succeed(completed),
    content: () =>
      Effect.succeed({
        contentType: "video/mp4",
        bytes: Stream.succeed(Uint8Array.of(1, 2, 3)),
        length: 3,
        stretch: undefined,
        takesRanges: false
      }),
    worstCase: () => ({ videos: 1 })
  }
}

export const film: ModelConfig = {
  id: "proof/film",
  card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
  endpoints: [{ provider: "studio", price: { prompt: "0", completion: "0" } }]
}

export const filming = { model: "proof/film", prompt: "a tide pool" }
