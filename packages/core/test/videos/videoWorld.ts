/** A whole box with a provider in memory, under a clock that only the test moves. */
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
import { setImmediate } from "node:timers/promises"
import { host } from "../../src/auth/Caller.ts"
import { layer, type Services } from "../../src/layer.ts"
import { memoryStores } from "../../src/memoryStores.ts"
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
import { VideoStore } from "../../src/videos/VideoStore.ts"

/** What a provider was asked, and what it says. */
class Maker {
  readonly submits: Array<VideoCall> = []
  readonly polledAt: Array<number> = []
  readonly stopped: Array<string> = []
  /** What the next submits do, then they are accepted. */
  readonly fates: Array<Effect.Effect<VideoAccepted, UpstreamFailure>> = []
  report: VideoReport = { status: "in_progress" }
  /** Whether it begins to answer polls, and goes on to the end of time. */
  hangs = false

  capability(changes: Partial<VideoCapability> = {}): VideoCapability {
    return {
      submit: (call) =>
        Effect.suspend(() => {
          this.submits.push(call)
          return this.fates.shift() ?? Effect.succeed(accepted(`job-${this.submits.length}`))
        }),
      poll: () =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          this.polledAt.push(now)
          return this.hangs ? Effect.never : Effect.succeed(this.report)
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
  /** A submit that is repeated makes a second job. */
  readonly takesNoKeys?: true
}

interface Makers {
  readonly one: Maker
  readonly two: Maker
}

/** A box of two providers, `one` and `two`, and a third that has no model; a video costs 0.4 USD. */
const boxIn = (
  makers: Makers,
  { capability = {}, options = {}, settings = {}, takesNoKeys }: World
) =>
  layer({
    upstreams: Object.entries({ ...makers, three: new Maker() }).map(([slug, maker]) => ({
      slug,
      name: slug.toUpperCase(),
      videos: takesNoKeys
        ? Struct.omit(maker.capability(capability), ["takesIdempotencyKey"])
        : maker.capability(capability)
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
    // All jobs are of one account.
    settings: { videoJobsUnderWay: 2_000, ...settings }
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

const run = (test: Effect.Effect<void, unknown, Scope.Scope>): Promise<void> =>
  Effect.runPromise(test.pipe(Effect.scoped, Effect.provide([TestClock.layer(), Logger.layer([])])))

export const inWorld = (
  test: (makers: Makers) => Effect.Effect<void, unknown, Services | Scope.Scope>,
  world: World = {}
): Promise<void> => {
  const makers = { one: new Maker(), two: new Maker() }
  return run(Effect.provide(test(makers), boxIn(makers, world)))
}

/** A process with a box: what it is called, and how it ends. */
export interface Process {
  readonly context: Context.Context<Services>
  /** As by SIGTERM. */
  readonly close: Effect.Effect<void>
  /** As by SIGKILL: whatever it asks of the store of jobs from now on is not heard. */
  readonly kill: () => void
}

/** Processes that come and go on the same stores, each with a provider of its own. */
export const inProcesses = (
  test: (
    start: (changes?: Partial<VideoCapability>) => Effect.Effect<Process>
  ) => Effect.Effect<void, unknown, Scope.Scope>,
  world: World = {}
): Promise<void> =>
  run(
    Effect.gen(function* () {
      const stores = yield* Layer.build(memoryStores)
      yield* test(
        Effect.fnUntraced(function* (capability = {}) {
          const scope = yield* Scope.make()
          let isKilled = false
          const heard = <A>(verb: Effect.Effect<A>) =>
            Effect.suspend(() => (isKilled ? Effect.never : verb))
          const kept = Context.get(stores, VideoStore)
          const mortal = Context.add(stores, VideoStore, {
            ...kept,
            claim: (claim) => heard(kept.claim(claim)),
            replace: (turn, after) => heard(kept.replace(turn, after)),
            reschedule: (...claimed) => heard(kept.reschedule(...claimed))
          })
          const box = boxIn(
            { one: new Maker(), two: new Maker() },
            {
              ...world,
              options: { ...world.options, stores: Layer.succeedContext(mortal) },
              capability
            }
          )
          return {
            context: yield* Layer.buildWithScope(Layer.fresh(box), scope),
            close: Scope.close(scope, Exit.void),
            kill: () => {
              isKilled = true
            }
          }
        })
      )
    })
  )

type Verbs = VideoStore["Service"]

/** Stores in memory, where some verbs of that of jobs do something else. */
export const storesWhere = (changes: (kept: Verbs) => Partial<Verbs>) =>
  Layer.flatMap(memoryStores, (stores) => {
    const kept = Context.get(stores, VideoStore)
    return Layer.succeedContext(Context.add(stores, VideoStore, { ...kept, ...changes(kept) }))
  })

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
