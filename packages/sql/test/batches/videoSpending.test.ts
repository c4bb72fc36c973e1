/** Spending that waits for a batch counts against a video that is submitted meanwhile. */
import {
  type Caller,
  defaultAccountId,
  defaultWorkspaceId,
  layer,
  NanoUsd,
  UserId
} from "@signalbox/core"
import { Videos } from "@signalbox/core/adapter"
import { SpendCounters, type Stores } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { emptyStores } from "../databases.ts"
import { offlinePlatform } from "../offlinePlatform.ts"

/** Batches wait so long that only a flush or a close writes. */
const databases = emptyStores({ batchIntervalMillis: 3_600_000 })

/** A video of four seconds costs 0.4 USD. */
const layerInstance = (stores: Layer.Layer<Stores, Error>) =>
  layer({
    stores,
    upstreams: [
      {
        slug: "one",
        name: "One",
        videos: {
          submit: () =>
            Effect.succeed({ upstreamId: "job-1", report: { status: "pending" } as const }),
          poll: () => Effect.succeed({ status: "in_progress" } as const),
          getContent: () => Effect.die("not downloaded in this test"),
          estimateWorstCase: ({ duration = 1 }) => ({ videos: 1, seconds: duration })
        }
      }
    ],
    models: [
      {
        id: "a/film",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
        endpoints: [{ provider: "one", price: {}, videoPrice: { duration_seconds: "0.1" } }]
      }
    ]
  }).pipe(Layer.provide(offlinePlatform))

describe.each(Object.entries(databases))("on %s", (_, database) => {
  it("counts the latest spending under a limit that is new to a video", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const counters = yield* SpendCounters
        const videos = yield* Videos
        const spender: Caller = {
          account: defaultAccountId,
          workspace: defaultWorkspaceId,
          kind: "member",
          user: UserId.make("mem-1")
        }
        yield* counters.record(spender, NanoUsd.make(700_000_000n), false, Date.now())
        const limit = { cap: NanoUsd.make(1_000_000_000n), reset: null, includesByok: false }
        const rejection = yield* Effect.flip(
          videos.submit(
            { ...spender, limit },
            { request: { model: "a/film", prompt: "a tide pool", duration: 4 }, bytes: 1 },
            { mount: "" }
          )
        )
        assert.deepInclude(rejection, {
          _tag: "LimitExceeded",
          available: NanoUsd.make(300_000_000n)
        })
      }).pipe(Effect.provide(layerInstance(database())))
    ))
})
