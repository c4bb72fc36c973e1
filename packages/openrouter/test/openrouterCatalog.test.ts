import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import type { ModelConfig, SettingsShape } from "@signalbox/core"
import { startRecordingServer, sendJson } from "@signalbox/testing/recording"
import { ReportSkipped, Settings, type SkippedEntry } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { openrouterCatalog } from "../src/index.ts"

const entry = (n: number) => ({
  id: `a/m${n}`,
  pricing: { prompt: "0.000001", completion: "0.000002" },
  context_length: 100
})

/** A server with `count` models. It returns at most `perPage` at once. */
const serveModels = (count: number, { perPage = 1_000, tellsTotal = true } = {}) =>
  startRecordingServer(({ url }, response) => {
    const offset = Number(/offset=(\d+)/.exec(url ?? "")?.[1])
    const page = Array.from({ length: count }, (_, n) => entry(n)).slice(offset, offset + perPage)
    sendJson(response, { data: page, ...(tellsTotal ? { total_count: count } : undefined) })
  })

const defaults = Effect.runSync(Settings)

const read = (options: Parameters<typeof openrouterCatalog>[0]) =>
  Effect.provide(openrouterCatalog(options).load, NodeHttpClient.layerUndici)

const listIds = (models: ReadonlyArray<ModelConfig>) => models.map(({ id }) => id)

describe("the catalog of a server with OpenRouter's API", () => {
  it("is OpenRouter's, read every hour, by default", () => {
    const source = openrouterCatalog()
    assert.strictEqual(source.name, "catalog of openrouter.ai")
    assert.strictEqual(source.refreshMillis, 3_600_000)
  })

  it("does not show credentials of its URL", () => {
    const { name } = openrouterCatalog({
      baseUrl: "https://user:secret@models.example:8443/ai?k=s"
    })
    assert.strictEqual(name, "catalog of models.example:8443")
  })

  it.effect("is read with the key, for all modalities, and served by that upstream", () =>
    Effect.gen(function* () {
      const server = yield* serveModels(1)
      const models = yield* read({ apiKey: "sk-of-the-house", baseUrl: `${server.url}/ai/` })
      assert.deepStrictEqual(
        server.requests.map(({ headers, method, url }) => [method, url, headers["authorization"]]),
        [
          [
            "GET",
            "/ai/api/v1/models?output_modalities=all&offset=0&limit=1000",
            "Bearer sk-of-the-house"
          ]
        ]
      )
      assert.deepStrictEqual(models[0]?.endpoints, [
        {
          provider: "openrouter",
          price: { prompt: "0.000001", completion: "0.000002" },
          contextLength: 100
        }
      ])
    })
  )

  it.effect("is served by the upstream in servedBy, or by none", () =>
    Effect.gen(function* () {
      const { url: baseUrl } = yield* serveModels(1)
      const [by] = yield* read({ baseUrl, servedBy: { provider: "judge", region: "eu" } })
      assert.deepInclude(by?.endpoints?.[0], { provider: "judge", region: "eu" })
      const [bare] = yield* read({ baseUrl, servedBy: null })
      assert.deepStrictEqual(bare?.endpoints, [])
    })
  )

  it.effect("is read page by page", () =>
    Effect.gen(function* () {
      const server = yield* serveModels(7, { perPage: 3 })
      const models = yield* read({ baseUrl: server.url })
      assert.deepStrictEqual(
        listIds(models),
        Array.from({ length: 7 }, (_, n) => `a/m${n}`)
      )
      assert.lengthOf(server.requests, 3)
    })
  )

  it.effect("is read once if the server reports no total", () =>
    Effect.gen(function* () {
      const server = yield* serveModels(3, { tellsTotal: false })
      assert.lengthOf(yield* read({ baseUrl: server.url }), 3)
      assert.lengthOf(server.requests, 1)
    })
  )

  it.effect("ends if the server has fewer models than its total", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer(({ url }, response) =>
        sendJson(response, { data: url?.includes("offset=0&") ? [entry(1)] : [], total_count: 5 })
      )
      assert.deepStrictEqual(listIds(yield* read({ baseUrl: server.url })), ["a/m1"])
      assert.lengthOf(server.requests, 2)
    })
  )

  it.effect.each([
    [
      "refuses",
      { error: { code: 401, message: "no key" } },
      401,
      "credential_refused (401): no key"
    ],
    ["breaks", {}, 500, "server_error (500)"],
    ["sends something else", { models: [] }, 200, "expected a list of models"],
    ["has no models", { data: [] }, 200, "it has no models"],
    ["has a model without a name", { data: [{}] }, 200, "data[0].id is no name"]
  ] as const)(
    "is unavailable from a server that %s, and reports why",
    ([, body, status, problem]) =>
      Effect.gen(function* () {
        const server = yield* startRecordingServer((_, response) =>
          sendJson(response, body, status)
        )
        const { _tag, problem: actual } = yield* Effect.flip(read({ baseUrl: server.url }))
        assert.strictEqual(_tag, "CatalogUnavailable")
        assert.include(actual, problem)
      })
  )

  it.effect("skips an invalid model and reports it", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) =>
        sendJson(response, { data: [entry(1), { ...entry(2), created: "now" }, {}, entry(3)] })
      )
      const skipped: Array<SkippedEntry> = []
      const models = yield* Effect.provideService(
        read({ baseUrl: server.url }),
        ReportSkipped,
        (skippedEntry) => void skipped.push(skippedEntry)
      )
      assert.deepStrictEqual(listIds(models), ["a/m1", "a/m3"])
      assert.deepStrictEqual(
        skipped.map(({ model }) => model),
        ["a/m2", "data[2]"]
      )
    })
  )

  it.effect("has no models only where the host allows that", () =>
    Effect.gen(function* () {
      const { url: baseUrl } = yield* serveModels(0)
      assert.deepStrictEqual(yield* read({ baseUrl, allowEmpty: true }), [])
    })
  )

  it.effect("ends in the middle of a list without end, by models and by bytes", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer(({ url }, response) => {
        const offset = Number(/offset=(\d+)/.exec(url ?? "")?.[1])
        const data = Array.from({ length: 100 }, (_, n) => entry(offset + n))
        sendJson(response, { data, total_count: 1e9 })
      })
      const readWith = (limits: Partial<SettingsShape>) =>
        Effect.provideService(Effect.flip(read({ baseUrl: server.url })), Settings, {
          ...defaults,
          ...limits
        })
      assert.include((yield* readWith({ maxCatalogModels: 250 })).problem, "more than 250 models")
      assert.lengthOf(server.requests, 3)
      assert.include((yield* readWith({ maxCatalogBytes: 20_000 })).problem, "20000 bytes")
      assert.isBelow(server.requests.length, 9)
    })
  )

  it.effect("does not reveal its key, even if the server repeats it", () =>
    Effect.gen(function* () {
      const apiKey = "sk-of-the-house-and-long"
      const server = yield* startRecordingServer((_, response) =>
        sendJson(response, { error: { code: 401, message: `bad key ${apiKey}` } }, 401)
      )
      const { problem } = yield* Effect.flip(read({ apiKey, baseUrl: server.url }))
      assert.notInclude(problem, apiKey)
    })
  )
})
