/** Video jobs of two instances on one database: accepted once, limited together and finished once. */
import { type Caller, defaultAccountId, defaultWorkspaceId, layer, NanoUsd } from "@signalbox/core"
import { Ledger, Videos } from "@signalbox/core/adapter"
import type { Upstream, VideoCall, VideoReport } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { assert, describe, it } from "vitest"
import { postgres } from "../../src/index.ts"
import { newSchema } from "../databases.ts"
import { offlinePlatform } from "../offlinePlatform.ts"

const caller: Caller = { account: defaultAccountId, workspace: defaultWorkspaceId, kind: "host" }

/** A provider that both instances call. */
class FakeVideoProvider {
  readonly submits: Array<VideoCall> = []
  report: VideoReport = { status: "in_progress" }

  upstream(): Upstream {
    return {
      slug: "one",
      name: "One",
      videos: {
        submit: (call) =>
          Effect.sync(() => {
            this.submits.push(call)
            return { upstreamId: call.idempotencyKey, report: { status: "pending" } as const }
          }),
        poll: () => Effect.sync(() => this.report),
        getContent: () => Effect.die("not downloaded in this test"),
        supportsIdempotencyKey: true,
        pollIntervalMillis: 10,
        estimateWorstCase: ({ duration = 1 }) => ({ videos: 1, seconds: duration })
      }
    }
  }
}

const layerInstance = (
  schema: ReturnType<typeof newSchema>,
  provider: FakeVideoProvider,
  credits: string
) =>
  layer({
    stores: postgres(schema),
    upstreams: [provider.upstream()],
    models: [
      {
        id: "a/film",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
        endpoints: [{ provider: "one", price: {}, videoPrice: { duration_seconds: "0.1" } }]
      }
    ],
    credits: { default: credits },
    settings: { videoSweepMillis: 20, jobPollMillis: 100 }
  }).pipe(Layer.provide(offlinePlatform))

/** Runs `test` with two instances on one new schema. */
const withTwoInstances = (
  credits: string,
  test: (instances: {
    readonly provider: FakeVideoProvider
    readonly submit: (n: number, idempotencyKey?: string) => Effect.Effect<string, unknown>
    readonly getStatus: (n: number, id: string) => Effect.Effect<string, unknown>
    readonly settled: Effect.Effect<number>
  }) => Effect.Effect<void, unknown>
): Promise<void> => {
  const provider = new FakeVideoProvider()
  const schema = newSchema()
  const run = Effect.gen(function* () {
    // One after the other, since the first one creates the tables.
    const first = yield* Layer.build(Layer.fresh(layerInstance(schema, provider, credits)))
    const second = yield* Layer.build(Layer.fresh(layerInstance(schema, provider, credits)))
    const pickContext = (n: number) => (n % 2 === 0 ? first : second)
    const request = { model: "a/film", prompt: "a tide pool", duration: 4 }
    yield* test({
      provider,
      submit: (n, idempotencyKey) =>
        Videos.use((videos) =>
          videos.submit(caller, { request, bytes: 1 }, { mount: "", idempotencyKey })
        ).pipe(
          Effect.map(({ id }): string => id),
          Effect.provideContext(pickContext(n))
        ),
      getStatus: (n, id) =>
        Videos.use((videos) => videos.get(caller, id)).pipe(
          Effect.map(({ status }): string => status),
          Effect.provideContext(pickContext(n))
        ),
      settled: Ledger.use((ledger) => ledger.findCredits(defaultAccountId)).pipe(
        Effect.map((found) => NanoUsd.toUsdNumber(found?.settled ?? NanoUsd.zero)),
        Effect.provideContext(first)
      )
    })
  })
  return Effect.runPromise(Effect.scoped(run))
}

const times = (count: number) => Array.from({ length: count }, (_, n) => n)
const atOnce = { concurrency: "unbounded" } as const

describe("video jobs of two instances on one Postgres", () => {
  it("are one job if they share an idempotency key", () =>
    withTwoInstances("0.4", ({ provider, settled, getStatus, submit }) =>
      Effect.gen(function* () {
        const ids = yield* Effect.forEach(times(50), (n) => submit(n, "once"), atOnce)
        assert.strictEqual(new Set(ids).size, 1)
        provider.report = { status: "completed", outputs: [{ index: 0 }] }
        const isCompleted = (n: number) =>
          Effect.repeat(getStatus(n, ids[0] ?? ""), {
            until: (status) => status === "completed",
            schedule: Schedule.spaced(20)
          })
        yield* Effect.forEach([0, 1], isCompleted)
        assert.strictEqual(provider.submits.length, 1)
        assert.strictEqual(yield* settled, 0.4)
      })
    ))

  it("are accepted only while credits last", () =>
    withTwoInstances("4", ({ submit }) =>
      Effect.gen(function* () {
        const exits = yield* Effect.forEach(times(40), (n) => Effect.exit(submit(n)), atOnce)
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 10)
      })
    ))

  it("finish once each, polled by several instances", () =>
    withTwoInstances("100", ({ provider, settled, getStatus, submit }) =>
      Effect.gen(function* () {
        provider.report = { status: "completed", outputs: [{ index: 0 }] }
        const ids = yield* Effect.forEach(times(20), (n) => submit(n), atOnce)
        for (const id of ids) {
          yield* Effect.repeat(getStatus(0, id), {
            until: (status) => status === "completed",
            schedule: Schedule.spaced(20)
          })
        }
        assert.strictEqual(provider.submits.length, 20)
        assert.strictEqual(yield* settled, 8)
      })
    ))
})
