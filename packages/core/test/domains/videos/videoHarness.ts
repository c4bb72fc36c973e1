/** An instance with an in-memory provider, under a test clock. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import * as TestClock from "effect/testing/TestClock"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { layer, type Services } from "../../../src/layer.ts"
import { memoryStores } from "../../../src/domains.ts"
import type { Options } from "../../../src/Options.ts"
import { OutboundHttp } from "../../../src/engine/outbound/OutboundHttp.ts"
import type { SettingsShape } from "../../../src/instance/Settings.ts"
import type {
  VideoSubmission,
  VideoCall,
  VideoCapability
} from "../../../src/engine/upstreams/VideoCapability.ts"
import type { VideoReport } from "../../../src/engine/upstreams/VideoReport.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import type { VideoRequest } from "../../../src/domains/videos/request/VideoRequest.ts"
import { Videos } from "../../../src/domains/videos/Videos.ts"
import { VideoStore } from "../../../src/domains/videos/VideoStore.ts"
import { settle } from "../../settle.ts"
import { type Jumps, layerJumpingTestClock } from "../../withJumps.ts"

/** The calls of a provider, and its answers. */
class FakeVideoProvider {
  readonly submits: Array<VideoCall> = []
  readonly polledAt: Array<number> = []
  readonly stopped: Array<string> = []
  /** The effects of the next submits. Later ones are accepted. */
  readonly submitResults: Array<Effect.Effect<VideoSubmission, UpstreamFailure>> = []
  report: VideoReport = { status: "in_progress" }
  /** Whether polls start to answer and never end. */
  hangs = false

  capability(changes: Partial<VideoCapability> = {}): VideoCapability {
    return {
      submit: (call) =>
        Effect.suspend(() => {
          this.submits.push(call)
          return (
            this.submitResults.shift() ?? Effect.succeed(accepted(`job-${this.submits.length}`))
          )
        }),
      poll: () =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          this.polledAt.push(now)
          return this.hangs ? Effect.never : Effect.succeed(this.report)
        }),
      getContent: () => Effect.die("unexpected download"),
      cancel: ({ upstreamId }) => Effect.sync(() => void this.stopped.push(upstreamId)),
      supportsIdempotencyKey: true,
      estimateWorstCase: ({ duration }) => ({
        videos: 1,
        ...(duration === undefined ? {} : { seconds: duration })
      }),
      ...changes
    }
  }
}

export const accepted = (upstreamId: string): VideoSubmission => ({
  upstreamId,
  report: { status: "pending" }
})

export const failing = (
  failure: ConstructorParameters<typeof UpstreamFailure>[0]
): Effect.Effect<never, UpstreamFailure> => Effect.fail(new UpstreamFailure(failure))

interface HarnessOptions {
  readonly settings?: Partial<SettingsShape>
  readonly options?: Partial<Options>
  readonly capability?: Partial<VideoCapability>
  /** Whether a repeated submit creates a second job. */
  readonly withoutIdempotency?: true
}

interface FakeProviders {
  readonly one: FakeVideoProvider
  readonly two: FakeVideoProvider
}

/** An instance with two providers, `one` and `two`, and a third without models; a video costs 0.4 USD. */
const layerInstance = (
  makers: FakeProviders,
  { capability = {}, options = {}, settings = {}, withoutIdempotency }: HarnessOptions
) =>
  layer({
    upstreams: Object.entries({ ...makers, three: new FakeVideoProvider() }).map(
      ([slug, maker]) => ({
        slug,
        name: slug.toUpperCase(),
        videos: withoutIdempotency
          ? Struct.omit(maker.capability(capability), ["supportsIdempotencyKey"])
          : maker.capability(capability)
      })
    ),
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
    // All jobs belong to one account.
    settings: { maxActiveVideoJobs: 2_000, ...settings }
  }).pipe(
    Layer.provide(
      Layer.mergeAll(
        Digest.layerWebCrypto,
        OutboundHttp.layerNone,
        Layer.succeed(
          HttpClient.HttpClient,
          HttpClient.make(() => Effect.die("no network"))
        )
      )
    ),
    Layer.orDie
  )

const runTest = (test: Effect.Effect<void, unknown, Jumps | Scope.Scope>): Promise<void> =>
  Effect.runPromise(
    test.pipe(Effect.scoped, Effect.provide([layerJumpingTestClock, Logger.layer([])]))
  )

export const runInHarness = (
  test: (makers: FakeProviders) => Effect.Effect<void, unknown, Jumps | Services | Scope.Scope>,
  world: HarnessOptions = {}
): Promise<void> => {
  const makers = { one: new FakeVideoProvider(), two: new FakeVideoProvider() }
  return runTest(Effect.provide(test(makers), layerInstance(makers, world)))
}

/** A process with an instance, its name, and ways to end it. */
export interface Process {
  readonly context: Context.Context<Services>
  /** Ends like SIGTERM. */
  readonly close: Effect.Effect<void>
  /** Ends like SIGKILL: its later calls of the job store have no effect. */
  readonly kill: () => void
}

/** Processes on shared stores, each with its own provider. */
export const runInProcesses = (
  test: (
    start: (changes?: Partial<VideoCapability>) => Effect.Effect<Process>
  ) => Effect.Effect<void, unknown, Scope.Scope>,
  world: HarnessOptions = {}
): Promise<void> =>
  runTest(
    Effect.gen(function* () {
      const stores = yield* Layer.build(memoryStores)
      yield* test(
        Effect.fnUntraced(function* (capability = {}) {
          const scope = yield* Scope.make()
          let isKilled = false
          const unlessKilled = <A>(verb: Effect.Effect<A>) =>
            Effect.suspend(() => (isKilled ? Effect.never : verb))
          const kept = Context.get(stores, VideoStore)
          const killableStores = Context.add(stores, VideoStore, {
            ...kept,
            claim: (claim) => unlessKilled(kept.claim(claim)),
            replace: (turn, after) => unlessKilled(kept.replace(turn, after)),
            reschedule: (...claimed) => unlessKilled(kept.reschedule(...claimed))
          })
          const instance = layerInstance(
            { one: new FakeVideoProvider(), two: new FakeVideoProvider() },
            {
              ...world,
              options: { ...world.options, stores: Layer.succeedContext(killableStores) },
              capability
            }
          )
          return {
            context: yield* Layer.buildWithScope(Layer.fresh(instance), scope),
            close: Scope.close(scope, Exit.void),
            kill: () => {
              isKilled = true
            }
          }
        })
      )
    })
  )

type VideoStoreMethods = VideoStore["Service"]

/** Stores in memory, with some methods of the job store replaced. */
export const storesWith = (changes: (kept: VideoStoreMethods) => Partial<VideoStoreMethods>) =>
  Layer.flatMap(memoryStores, (stores) => {
    const kept = Context.get(stores, VideoStore)
    return Layer.succeedContext(Context.add(stores, VideoStore, { ...kept, ...changes(kept) }))
  })

/** Runs everything that is due, second by second. */
export const advanceClock = Effect.fnUntraced(function* (seconds: number) {
  for (let second = 0; second < seconds; second++) {
    yield* TestClock.adjust("1 second")
    yield* Effect.promise(() => settle(10))
  }
})

export const submit = (changes: Partial<VideoRequest> = {}) =>
  Videos.use((videos) =>
    videos.submit(
      hostCaller,
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

export const find = (id: string) => Videos.use((videos) => videos.get(hostCaller, id))
export const cancel = (id: string) => Videos.use((videos) => videos.cancel(hostCaller, id))
