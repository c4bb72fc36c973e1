import { assert, expect, expectTypeOf, onTestFinished, test } from "vitest"
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { Authenticate, make, type Options, OutboundHttp } from "../src/adapter.ts"
import { OptionFailed, SignalboxError } from "../src/index.ts"
import {
  Transaction,
  AccountStore,
  BlobStore,
  type Generation,
  GenerationStore,
  memoryStores,
  RateLimitStore,
  type Stores
} from "../src/stores.ts"
import { makeInProcessHost, InternHostService, Upstream } from "../src/upstream.ts"
import { memoryGenerationStore } from "../src/memory/memoryGenerationStore.ts"
import { memoryRollupStore } from "../src/memory/memoryRollupStore.ts"

const platform = Layer.mergeAll(
  Digest.layerWebCrypto,
  OutboundHttp.layerNone,
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die("no network"))
  )
)

const makeUpstream = (slug: string): Upstream => ({
  slug,
  name: slug,
  decisions: {
    decide: () =>
      Effect.succeed({
        verdicts: new Map([["sure", { weights: [3, 1] }]]),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "native"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  }
})

const plain: Options = { upstreams: [], models: [] }

const open = async (options: Options) => {
  const instance = await make(options, platform)
  onTestFinished(() => instance.close())
  return instance
}

const question = {
  model: "a/b",
  state: "?",
  questions: { sure: { type: "noul", instructions: "Sure?" } }
} as const

const makeModels = (...providers: ReadonlyArray<string>): Options["models"] => [
  { id: "a/b", endpoints: providers.map((provider) => ({ provider, price: {} })) }
]

const findFailure = async (options: Options): Promise<unknown> => {
  try {
    const instance = await make(options, platform)
    await instance.close()
  } catch (problem) {
    return problem
  }
  return assert.fail("expected make to reject")
}

class Broken extends Data.TaggedError("Broken")<{ readonly message: string }> {}

class Vault extends Context.Service<Vault, { readonly name: string }>()("test/Vault") {}

/** A layer that records when it is built and released. */
const makeRecordingLayer = (events: Array<string>) =>
  Layer.effect(
    Vault,
    Effect.acquireRelease(
      Effect.sync(() => {
        events.push("built")
        return { name: "shared" }
      }),
      () => Effect.sync(() => void events.push("released"))
    )
  )

test("upstreams are values, effects and layers", async () => {
  const instance = await open({
    upstreams: [
      makeUpstream("value"),
      Effect.succeed(makeUpstream("effect")),
      Layer.effect(
        Upstream,
        Effect.map(Vault, ({ name }) => makeUpstream(name))
      ).pipe(Layer.provide(Layer.succeed(Vault, { name: "layer" })))
    ],
    models: makeModels("value", "effect", "layer")
  })
  for (const slug of ["value", "effect", "layer"]) {
    const { provider } = await instance.decide({ ...question, provider: { only: [slug] } })
    assert.strictEqual(provider, slug)
  }
})

test("the resources of an effect and a layer are released when the instance closes", async () => {
  const events: Array<string> = []
  const instance = await make(
    {
      upstreams: [
        Layer.effect(
          Upstream,
          Effect.map(Vault, ({ name }) => makeUpstream(name))
        ).pipe(Layer.provide(makeRecordingLayer(events))),
        Effect.acquireRelease(Effect.succeed(makeUpstream("effect")), () =>
          Effect.sync(() => void events.push("effect released"))
        )
      ],
      models: makeModels("shared", "effect")
    },
    platform
  )
  await instance.decide(question)
  assert.deepStrictEqual(events, ["built"])
  await instance.close()
  expect(events.toSorted()).toEqual(["built", "effect released", "released"])
})

test("a layer that two options share is built once", async () => {
  const events: Array<string> = []
  const shared = makeRecordingLayer(events)
  const instance = await open({
    upstreams: ["one", "two"].map((slug) =>
      Layer.effect(
        Upstream,
        Effect.map(Vault, () => makeUpstream(slug))
      ).pipe(Layer.provide(shared))
    ),
    models: makeModels("one", "two"),
    stores: Layer.provideMerge(Layer.effectDiscard(Vault), Layer.merge(shared, memoryStores))
  })
  await instance.decide(question)
  assert.deepStrictEqual(events, ["built"])
})

const recorded: Array<Generation> = []
const customStore = Layer.effect(
  GenerationStore,
  Effect.gen(function* () {
    const { withTransaction } = yield* Transaction
    const replaced = yield* GenerationStore
    return {
      record: (generations) =>
        withTransaction(
          Effect.andThen(
            replaced.record(generations),
            Effect.sync(() => void recorded.push(...generations))
          )
        ),
      find: replaced.find,
      list: replaced.list,
      listSessions: replaced.listSessions,
      scan: replaced.scan
    }
  })
)

test("a custom store replaces one default and can use the others", async () => {
  const instance = await open({
    upstreams: [makeUpstream("value")],
    models: makeModels("value"),
    stores: Layer.provideMerge(customStore, memoryStores),
    settings: { recordDelayMillis: 0 }
  })
  const { id } = await instance.decide(question)
  assert.deepStrictEqual(
    recorded.map((generation) => generation.id as string),
    [id]
  )
})

test("two instances can share built stores", async () => {
  const built = await Effect.runPromise(Effect.scoped(Layer.build(memoryStores)))
  for (const stores of [built, Effect.succeed(built)]) {
    const { context } = await open({ ...plain, stores })
    assert.strictEqual(Context.get(context, AccountStore), Context.get(built, AccountStore))
  }
})

test("missing stores are named", async () => {
  const some = Layer.provide(memoryGenerationStore, memoryRollupStore) as Layer.Layer<Stores>
  const problem = await findFailure({ ...plain, stores: some })
  assert.instanceOf(problem, RangeError)
  assert.match(problem.message, /^stores lacks AccountStore, .*ApiKeyStore, .*WorkspaceStore: /)
  assert.notMatch(problem.message, /GenerationStore/)
})

test("a missing requirement of a layer is named with its option", async () => {
  const incomplete = Layer.effect(
    Upstream,
    Effect.map(Vault, ({ name }) => makeUpstream(name))
  ) as Layer.Layer<Upstream>
  const problem = await findFailure({ ...plain, upstreams: [incomplete] })
  assert.instanceOf(problem, RangeError)
  assert.match(problem.message, /^upstreams\.0 requires test\/Vault, /)
})

test("a layer that does not provide the service of its option is rejected by name", async () => {
  const problem = await findFailure({
    ...plain,
    videoFiles: Layer.succeed(Vault, { name: "other" }) as unknown as Layer.Layer<BlobStore>
  })
  assert.instanceOf(problem, RangeError)
  assert.match(problem.message, /^videoFiles: the layer does not provide .*BlobStore$/)
})

const broken = Effect.fail(new Broken({ message: "the disk is gone" }))

test.for<[string, Partial<Options>]>([
  ["upstreams.1", { upstreams: [makeUpstream("value"), broken] }],
  ["upstreams.0", { upstreams: [Layer.effect(Upstream, broken)] }],
  ["stores", { stores: Layer.effectContext(broken) }],
  ["stores", { stores: broken }],
  ["authenticate", { authenticate: Layer.effect(Authenticate, broken) }],
  ["authenticate", { authenticate: broken }],
  ["interns.host", { interns: { host: broken } }],
  ["videoFiles", { videoFiles: broken }],
  ["rateLimits", { rateLimits: broken }],
  ["rateLimits", { rateLimits: Layer.effect(RateLimitStore, broken) }]
])("a failure to build %s is a SignalboxError that names it", async ([option, options]) => {
  const problem = await findFailure({ ...plain, ...options })
  assert.instanceOf(problem, SignalboxError)
  assert.strictEqual(problem.message, `${option} could not be built: the disk is gone`)
  assert.deepStrictEqual(problem.metadata, { option })
  assert.instanceOf(problem.cause, OptionFailed)
  assert.instanceOf(problem.cause.cause, Broken)
})

test("an exception while building is reported the same way, and a RangeError stays one", async () => {
  const thrown = await findFailure({
    ...plain,
    upstreams: [Effect.promise(() => Promise.reject(new Error("no key file")))]
  })
  assert.instanceOf(thrown, SignalboxError)
  assert.strictEqual(thrown.message, "upstreams.0 could not be built: no key file")
  const invalid = await findFailure({
    ...plain,
    stores: Effect.sync(() => {
      throw new RangeError("the path is empty")
    })
  })
  assert.instanceOf(invalid, RangeError)
  assert.strictEqual(invalid.message, "stores: the path is empty")
})

test("resources are released when another option fails", async () => {
  const events: Array<string> = []
  await findFailure({
    ...plain,
    stores: Layer.provideMerge(
      Layer.effectDiscard(Vault),
      Layer.merge(makeRecordingLayer(events), memoryStores)
    ),
    interns: { host: broken }
  })
  assert.deepStrictEqual(events, ["built", "released"])
})

test("authenticate, interns.host, videoFiles and rateLimits accept values, effects and layers", async () => {
  const limits = {
    take: () => Effect.succeed(0),
    readWindow: () => Effect.succeed({ left: 1, endsInMillis: 0 }),
    takeTokens: () => Effect.succeed(0),
    addTokens: () => Effect.void,
    takeSlot: () => Effect.succeed(true),
    renewSlot: () => Effect.void,
    releaseSlot: () => Effect.void
  }
  const files: BlobStore = {
    put: () => Effect.void,
    find: () => Effect.undefined,
    remove: () => Effect.void
  }
  const forms: ReadonlyArray<Partial<Options>> = [
    {
      authenticate: () => ({ user: "ada" }),
      interns: { host: makeInProcessHost() },
      videoFiles: files,
      rateLimits: limits
    },
    {
      authenticate: Effect.succeed(() => ({ user: "ada" })),
      interns: { host: Effect.sync(makeInProcessHost) },
      videoFiles: Effect.succeed(files),
      rateLimits: Effect.succeed(limits)
    },
    {
      authenticate: Layer.succeed(Authenticate, () => Effect.succeed({ user: "ada" })),
      interns: { host: Layer.sync(InternHostService, makeInProcessHost) },
      videoFiles: Layer.succeed(BlobStore, files),
      rateLimits: Layer.succeed(RateLimitStore, limits)
    }
  ]
  for (const form of forms) {
    const instance = await open({ ...plain, ...form })
    const { status } = await instance.fetch(new Request("http://host/api/v1/key"))
    assert.strictEqual(status, 200)
    const { data } = await instance.interns.list()
    assert.deepStrictEqual(data, [])
  }
})

test("a failing effect of an authenticator is a 500", async () => {
  const instance = await open({
    ...plain,
    authenticate: ({ token }) => Effect.fail(new Broken({ message: `cannot look ${token} up` }))
  })
  const headers = { authorization: "Bearer very-secret-token" }
  const response = await instance.fetch(new Request("http://host/api/v1/key", { headers }))
  assert.strictEqual(response.status, 500)
})

test("the types reject a layer that lacks a store or has a missing requirement", () => {
  type GivenStores = NonNullable<Options["stores"]>
  type GivenUpstream = Options["upstreams"][number]
  expectTypeOf<Layer.Layer<GenerationStore>>().not.toExtend<GivenStores>()
  expectTypeOf<Layer.Layer<Stores | Vault, Broken>>().toExtend<GivenStores>()
  expectTypeOf<Layer.Layer<Stores, never, Vault>>().not.toExtend<GivenStores>()
  expectTypeOf<Layer.Layer<Upstream, Broken, HttpClient.HttpClient>>().toExtend<GivenUpstream>()
  expectTypeOf<Layer.Layer<Upstream, Broken, Vault>>().not.toExtend<GivenUpstream>()
  expectTypeOf<Effect.Effect<Upstream, Broken>>().toExtend<GivenUpstream>()
})
