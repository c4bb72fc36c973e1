import { assert, describe, it } from "@effect/vitest"
import { makeMemoryServices, ScriptedInternHost } from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import {
  Chats,
  Credentials,
  Decisions,
  Deliveries,
  Generations,
  Interns,
  Ledger,
  layerDeliveryWorker,
  layerInternWorker,
  layerVideoWorker,
  resolveCaller,
  Routing,
  Vaults,
  Videos,
  Webhooks
} from "../src/adapter.ts"
import { chat, decide, hostCaller, toKeyNumber, NanoUsd } from "../src/index.ts"
import { DeadlineExceeded } from "../src/routing/RoutingErrors.ts"
import { Settings } from "../src/instance/Settings.ts"
import { AccountId, GenerationId } from "../src/stores.ts"
import type { Upstream } from "../src/upstream.ts"
import { decodeVideoRequest } from "../src/domains/videos/request/parseVideoRequest.ts"

const fullUpstream: Upstream = {
  slug: "all",
  name: "All",
  decisions: {
    decide: () =>
      Effect.succeed({
        verdicts: new Map([["sure", { weights: [3, 1] }]]),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "native"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  },
  chat: {
    complete: () =>
      Effect.succeed({
        choices: [
          { index: 0, answer: { parts: [{ type: "text", text: "Hi" }], end: { reason: "stop" } } }
        ],
        usage: { inputTokens: 1, outputTokens: 1 }
      }),
    stream: () => Stream.die("not streamed"),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  },
  videos: {
    submit: () => Effect.succeed({ upstreamId: "job-1", report: { status: "pending" } }),
    poll: () => Effect.succeed({ status: "completed", outputs: [{ index: 0 }] }),
    getContent: () => Effect.die("not asked for"),
    ignoresCredentials: true,
    estimateWorstCase: () => ({ videos: 1 })
  }
}
const options = {
  upstreams: [fullUpstream],
  models: [
    { id: "a/b", endpoints: [{ provider: "all", price: {} }] },
    {
      id: "a/film",
      card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
      endpoints: [{ provider: "all", price: {}, videoPrice: { duration_seconds: "0.1" } }]
    }
  ]
} as const
const question = {
  model: "a/b",
  state: "?",
  questions: { sure: { type: "noul", instructions: "Sure?" } }
} as const
const acme = AccountId.make("acme")
const page = { offset: 0, limit: 1 }

const submitVideo = Effect.gen(function* () {
  const settings = yield* Settings
  const parsed = yield* Effect.fromResult(
    decodeVideoRequest({ model: "a/film", prompt: "?", duration: 4 }, { bytes: 1, settings })
  )
  return yield* (yield* Videos).submit(hostCaller, parsed, { mount: "", idempotencyKey: undefined })
})

describe("each service runs on memory layers", () => {
  it.effect("Routing plans", () =>
    Effect.gen(function* () {
      const { getModelFilter } = yield* Routing
      const may = yield* getModelFilter(hostCaller)
      assert.isFunction(may)
    }).pipe(Effect.provide(Routing.layer.pipe(Layer.provide(makeMemoryServices(options)))))
  )

  it.effect("Decisions answers", () =>
    Effect.gen(function* () {
      const { provider } = yield* decide(question, { account: "acme" })
      assert.strictEqual(provider, "All")
    }).pipe(Effect.provide(Decisions.layer.pipe(Layer.provideMerge(makeMemoryServices(options)))))
  )

  it.effect("Chats answers", () =>
    Effect.gen(function* () {
      const { choices } = yield* chat({ model: "a/b", messages: [{ role: "user", content: "?" }] })
      assert.strictEqual(choices[0]?.message["content"], "Hi")
    }).pipe(Effect.provide(Chats.layer.pipe(Layer.provideMerge(makeMemoryServices(options)))))
  )

  it.effect("Videos accepts a job that its worker finishes", () =>
    Effect.gen(function* () {
      const videos = yield* Videos
      const { id } = yield* submitVideo
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* videos.get(hostCaller, id)).status, "completed")
    }).pipe(
      Effect.provide(
        Layer.merge(Videos.layer, layerVideoWorker).pipe(
          Layer.provideMerge(makeMemoryServices(options))
        )
      )
    )
  )

  it.effect("Videos leaves a job pending without its worker", () =>
    Effect.gen(function* () {
      const videos = yield* Videos
      const { id } = yield* submitVideo
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* videos.get(hostCaller, id)).status, "pending")
    }).pipe(Effect.provide(Videos.layer.pipe(Layer.provideMerge(makeMemoryServices(options)))))
  )

  it.effect("Interns creates an intern that its worker provisions", () => {
    const scripted = { host: new ScriptedInternHost({ prepares: false }).host }
    return Effect.gen(function* () {
      const interns = yield* Interns
      const caller = yield* resolveCaller({ user: "ada" })
      const { intern } = yield* interns.create(caller, { name: "ida", provision: true }, undefined)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* interns.get(caller, intern.id)).status, "running")
    }).pipe(
      Effect.provide(
        Layer.merge(Interns.layer, layerInternWorker).pipe(
          Layer.provideMerge(makeMemoryServices({ interns: scripted }))
        )
      )
    )
  })

  it.effect("Vaults seals and releases", () =>
    Effect.gen(function* () {
      const vaults = yield* Vaults
      const id = yield* vaults.ofWorkspace(hostCaller)
      yield* vaults.put(hostCaller, id, "token", {
        value: Redacted.make("secret"),
        hosts: ["api.example.com"]
      })
      const [released] = yield* vaults.release([id], "api.example.com")
      assert.strictEqual(released && Redacted.value(released.value), "secret")
    }).pipe(Effect.provide(Vaults.layer.pipe(Layer.provide(makeMemoryServices()))))
  )

  it.effect("Credentials seals and opens", () =>
    Effect.gen(function* () {
      const credentials = yield* Credentials
      yield* credentials.adopt(acme, { provider: "openai", key: "sk-own" })
      const { rows } = yield* credentials.list({ account: acme }, {}, page)
      const opened = yield* credentials.open(acme, rows[0]?.id ?? "")
      assert.strictEqual(Redacted.value(opened), "sk-own")
    }).pipe(Effect.provide(Credentials.layer.pipe(Layer.provide(makeMemoryServices()))))
  )

  it.effect("Webhooks stores a URL and a secret", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      yield* webhooks.put({ account: acme }, "default", {
        callback_url: "https://example.com/hook"
      })
      yield* webhooks.createSecret({ account: acme }, "default")
      assert.lengthOf(yield* webhooks.listSecrets({ account: acme }, "default"), 1)
    }).pipe(Effect.provide(Webhooks.layer.pipe(Layer.provide(makeMemoryServices()))))
  )

  it.effect("Deliveries rejects an event without a webhook, with its worker", () =>
    Effect.gen(function* () {
      const { offer } = yield* Deliveries
      const event = {
        account: acme,
        workspace: "default",
        id: "one-done",
        type: "t",
        at: 0,
        data: {}
      }
      assert.isFalse(yield* offer(event))
    }).pipe(
      Effect.provide(
        Layer.merge(Deliveries.layer, layerDeliveryWorker).pipe(Layer.provide(makeMemoryServices()))
      )
    )
  )

  it.effect("Generations reports a missing record", () =>
    Effect.gen(function* () {
      const { get } = yield* Generations
      const missing = yield* Effect.flip(get({ account: acme }, GenerationId.make("gen-1")))
      assert.strictEqual(missing._tag, "ResourceNotFound")
    }).pipe(
      Effect.provide(Generations.layer({ logs: false }).pipe(Layer.provide(makeMemoryServices())))
    )
  )

  it.effect("two layers share no state", () =>
    Effect.gen(function* () {
      const adopt = Effect.flatMap(Credentials, (it) =>
        it.adopt(acme, { provider: "openai", key: "sk-own" })
      )
      const count = Effect.flatMap(Credentials, (it) => it.list({ account: acme }, {}, page))
      yield* Effect.provide(adopt, makeMemoryServices())
      const { total } = yield* Effect.provide(count, makeMemoryServices())
      assert.strictEqual(total, 0)
    })
  )
})

/** Methods that a mock does not implement die. */
const isUnimplemented = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    assert.isTrue(Exit.hasDies(exit))
  })

describe("each service can be mocked", () => {
  it.effect("Routing, under Decisions", () =>
    Effect.gen(function* () {
      const late = yield* Effect.flip(decide(question))
      assert.strictEqual(late._tag, "DeadlineExceeded")
    }).pipe(
      Effect.provide(
        Decisions.layer.pipe(
          Layer.provide(
            Layer.mock(Routing, {
              route: () => Effect.fail(new DeadlineExceeded({ models: [] })),
              end: () => undefined
            })
          ),
          Layer.provideMerge(makeMemoryServices(options))
        )
      )
    )
  )

  it.effect("Decisions", () =>
    isUnimplemented(decide(question)).pipe(
      Effect.provide(Layer.mock(Decisions, {}).pipe(Layer.provideMerge(makeMemoryServices())))
    )
  )

  it.effect("Chats", () =>
    isUnimplemented(chat({ model: "a/b", messages: [{ role: "user", content: "?" }] })).pipe(
      Effect.provide(Layer.mock(Chats, {}).pipe(Layer.provideMerge(makeMemoryServices())))
    )
  )

  it.effect("Videos", () =>
    Effect.gen(function* () {
      const videos = yield* Videos
      assert.strictEqual((yield* videos.list({ account: acme }, {}, page)).total, 7)
      yield* isUnimplemented(videos.get(hostCaller, "video"))
    }).pipe(
      Effect.provide(Layer.mock(Videos, { list: () => Effect.succeed({ rows: [], total: 7 }) }))
    )
  )

  it.effect("Interns", () =>
    Effect.gen(function* () {
      const interns = yield* Interns
      assert.isUndefined(yield* interns.findByHostname("ida.example.com"))
      yield* isUnimplemented(interns.get(hostCaller, "intern"))
    }).pipe(Effect.provide(Layer.mock(Interns, { findByHostname: () => Effect.undefined })))
  )

  it.effect("Vaults", () =>
    Effect.gen(function* () {
      const vaults = yield* Vaults
      assert.deepStrictEqual(yield* vaults.release([], "api.example.com"), [])
      yield* isUnimplemented(vaults.reseal)
      yield* isUnimplemented(vaults.ofWorkspace(hostCaller))
    }).pipe(Effect.provide(Layer.mock(Vaults, { release: () => Effect.succeed([]) })))
  )

  it.effect("Credentials", () =>
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const opened = yield* credentials.open(acme, "any")
      assert.strictEqual(Redacted.value(opened), "sk-own")
      yield* isUnimplemented(credentials.get({ account: acme }, "any"))
    }).pipe(
      Effect.provide(
        Layer.mock(Credentials, { open: () => Effect.succeed(Redacted.make("sk-own")) })
      )
    )
  )

  it.effect("Webhooks", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      assert.deepStrictEqual(yield* webhooks.listSecrets({ account: acme }, "default"), [])
      yield* isUnimplemented(webhooks.get({ account: acme }, "default"))
    }).pipe(Effect.provide(Layer.mock(Webhooks, { listSecrets: () => Effect.succeed([]) })))
  )

  it.effect("Generations", () =>
    Effect.gen(function* () {
      const { get } = yield* Generations
      yield* isUnimplemented(get({ account: acme }, GenerationId.make("gen-1")))
    }).pipe(
      Effect.provide(Layer.mock(Generations, { record: () => Effect.void, isIoLogEnabled: false }))
    )
  )
})

describe("public functions take ids as plain text", () => {
  it.effect("services", () =>
    Effect.gen(function* () {
      const vaults = yield* Vaults
      const caller = yield* resolveCaller({ account: "acme", user: "ada" })
      const id: string = yield* vaults.ofWorkspace(caller)
      assert.deepStrictEqual((yield* vaults.list(caller, id, page)).rows, [])
      const strange = yield* Effect.flip(vaults.list(caller, "no vault", page))
      assert.strictEqual(strange._tag, "ResourceNotFound")
      assert.deepStrictEqual(yield* vaults.release(["no vault"], "api.example.com"), [])

      yield* Ledger.use(({ grant }) => grant("acme", NanoUsd.make(5n)))
      const credits = yield* Ledger.use((ledger) => ledger.findCredits("acme"))
      assert.strictEqual(credits?.granted, NanoUsd.make(5n))
      yield* isUnimplemented(Ledger.use((ledger) => ledger.findCredits("")))

      yield* Credentials.use(({ adopt }) => adopt("acme", { provider: "openai", key: "sk-own" }))
      const missing = yield* Effect.flip(
        Generations.use(({ get }) => get({ account: "acme" }, "gen"))
      )
      assert.strictEqual(missing.id, "gen")
    }).pipe(Effect.provide(makeMemoryServices()))
  )

  it("toKeyNumber rejects text that is not a hash", () => {
    assert.strictEqual(toKeyNumber("0".repeat(11) + "f".repeat(53)), 15)
    assert.throws(() => toKeyNumber("sk-secret"), RangeError)
  })
})
