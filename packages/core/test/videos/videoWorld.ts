/** A whole box with a provider in memory, under a clock that only the test moves. */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { setImmediate } from "node:timers/promises"
import { host } from "../../src/auth/Caller.ts"
import { layer, type Services } from "../../src/layer.ts"
import type { Options } from "../../src/Options.ts"
import { OutboundHttp } from "../../src/outbound/OutboundHttp.ts"
import type { SettingsShape } from "../../src/Settings.ts"
import type {
  VideoAccepted,
  VideoCall,
  VideoCapability
} from "../../src/upstreams/VideoCapability.ts"
import type { VideoReport } from "../../src/upstreams/VideoReport.ts"
import { UpstreamFailure } from "../../src/upstreams/UpstreamFailure.ts"
import type { VideoRequest } from "../../src/videos/VideoRequest.ts"
import { Videos } from "../../src/videos/Videos.ts"

/** What a provider was asked, and what it says. */
export class Maker {
  readonly submits: Array<VideoCall> = []
  readonly polledAt: Array<number> = []
  readonly stopped: Array<string> = []
  /** What the next submits do, then they are accepted. */
  readonly fates: Array<Effect.Effect<VideoAccepted, UpstreamFailure>> = []
  report: VideoReport = { status: "in_progress" }

  capability(changes: Partial<VideoCapability> = {}): VideoCapability {
    return {
      submit: (call) =>
        Effect.suspend(() => {
          this.submits.push(call)
          return this.fates.shift() ?? Effect.succeed(accepted(`job-${this.submits.length}`))
        }),
      poll: () =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          this.polledAt.push(now)
          return this.report
        }),
      content: () => Effect.die("nobody downloads here"),
      cancel: ({ upstreamId }) => Effect.sync(() => void this.stopped.push(upstreamId)),
      takesIdempotencyKey: true,
      worstCase: ({ duration }) => ({
        videos: 1,
        ...(duration === undefined ? {} : { seconds: duration })
      }),
      ...changes
    }
  }
}

export const accepted = (upstreamId: string): VideoAccepted => ({
  upstreamId,
  report: { status: "pending" }
})

export const failing = (
  failure: ConstructorParameters<typeof UpstreamFailure>[0]
): Effect.Effect<never, UpstreamFailure> => Effect.fail(new UpstreamFailure(failure))

interface World {
  readonly settings?: Partial<SettingsShape>
  readonly options?: Partial<Options>
  readonly capability?: Partial<VideoCapability>
}

/** Two providers, `one` and `two`; a video costs 0.4 USD. */
export const inWorld = (
  test: (makers: {
    readonly one: Maker
    readonly two: Maker
  }) => Effect.Effect<void, unknown, Services | Scope.Scope>,
  { capability = {}, options = {}, settings = {} }: World = {}
): Promise<void> => {
  const makers = { one: new Maker(), two: new Maker() }
  const box = layer({
    upstreams: Object.entries(makers).map(([slug, maker]) => ({
      slug,
      name: slug.toUpperCase(),
      videos: maker.capability(capability)
    })),
    models: [
      {
        id: "a/film",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
        endpoints: ["one", "two"].map((provider) => ({
          provider,
          price: {},
          videoPrice: { duration_seconds: "0.1" }
        }))
      }
    ],
    ...options,
    settings
  })
  const platform = Layer.mergeAll(
    Digest.layerWebCrypto,
    OutboundHttp.layerNone,
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make(() => Effect.die("no network"))
    )
  )
  return Effect.runPromise(
    test(makers).pipe(
      Effect.scoped,
      Effect.provide(
        box.pipe(Layer.provide(platform), Layer.provideMerge([TestClock.layer(), Logger.layer([])]))
      )
    )
  )
}

/** Lets everything happen that is due, second by second. */
export const elapse = Effect.fnUntraced(function* (seconds: number) {
  for (let second = 0; second < seconds; second++) {
    yield* TestClock.adjust("1 second")
    for (let turn = 0; turn < 10; turn++) yield* Effect.promise(() => setImmediate())
  }
})

export const submit = (changes: Partial<VideoRequest> = {}) =>
  Videos.use((videos) =>
    videos.submit(
      host,
      {
        request: {
          model: "a/film",
          prompt: "a tide pool",
          duration: 4,
          provider: { order: ["one", "two"] },
          ...changes
        },
        bytes: 1
      },
      { mount: "" }
    )
  )

export const find = (id: string) => Videos.use((videos) => videos.find(host, id))
export const cancel = (id: string) => Videos.use((videos) => videos.cancel(host, id))
