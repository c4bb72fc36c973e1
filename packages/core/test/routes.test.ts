import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterEach, expect, onTestFinished, test, vi } from "vitest"
import { layer, OutboundHttp, type Options, routes, Settings } from "../src/adapter.ts"
import type { Upstream } from "../src/upstream.ts"

const makeUpstream = (before: Effect.Effect<unknown> = Effect.void): Upstream => ({
  slug: "local",
  name: "Local",
  decisions: {
    decide: () =>
      Effect.as(before, {
        verdicts: new Map([["sure", { weights: [3, 1] }]]),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "native"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  }
})

const makeOptions = (upstream: Upstream, settings: Options["settings"] = {}): Options => ({
  upstreams: [upstream],
  models: [{ id: "a/b", endpoints: [{ provider: "local", price: {}, contextLength: 8_192 }] }],
  keys: [{ key: "sk-member", kind: "member", user: "ada" }],
  settings
})

const running: Array<() => Promise<void>> = []
afterEach(() => Promise.all(running.splice(0).map((dispose) => dispose())))

/** An Effect host with its own route beside the instance's. */
const startHost = async (options: Options, mount?: string) => {
  const platform = Layer.mergeAll(
    FetchHttpClient.layer,
    NodeCrypto.layerDigest,
    OutboundHttp.layerNone
  )
  const instance = ManagedRuntime.make(layer(options).pipe(Layer.provide(platform)))
  const instanceRoutes = routes(mount === undefined ? {} : { mount })
  const host = HttpRouter.add("GET", "/hello", HttpServerResponse.text("hello from the host"))
  const application = Layer.merge(instanceRoutes, host).pipe(
    Layer.provide(Layer.succeedContext(await instance.context()))
  )
  const { dispose, handler } = HttpRouter.toWebHandler(application, { disableLogger: true })
  running.push(async () => {
    await dispose()
    await instance.dispose()
  })
  const get = (path: string) => handler(new Request(`http://host${path}`))
  const decide = (path: string, signal: AbortSignal | null = null) =>
    handler(
      new Request(`http://host${path}`, {
        method: "POST",
        signal,
        headers: { authorization: "Bearer sk-member", "content-type": "application/json" },
        body: JSON.stringify({
          model: "a/b",
          state: "x",
          questions: { sure: { type: "noul", instructions: "Sure?" } }
        })
      })
    )
  const remove = (path: string) =>
    handler(
      new Request(`http://host${path}`, {
        method: "DELETE",
        headers: { authorization: "Bearer sk-member" }
      })
    )
  return { decide, dispose, get, remove }
}

test("a path parameter may exceed the length limit of the host's router", async () => {
  const { remove } = await startHost(makeOptions(makeUpstream()), "/ai")
  const path = `/ai/api/v1/vault/secrets/${"a".repeat(255)}`
  expect(await (await remove(path)).text()).toContain("There is no such secret")
  const beyond = await remove(`${path}/more`)
  expect([beyond.status, await beyond.text()]).toEqual([
    404,
    expect.stringContaining("is not served here")
  ])
})

test.each([
  { mount: undefined, prefix: "", server: "/" },
  { mount: "/", prefix: "", server: "/" },
  { mount: "/ai", prefix: "/ai", server: "/ai" },
  { mount: "outer/ai/", prefix: "/outer/ai", server: "/outer/ai" }
])("mounted at $mount, the operations respond there", async ({ mount, prefix, server }) => {
  const { decide, get } = await startHost(makeOptions(makeUpstream()), mount)
  for (const path of ["/api/alpha/decisions", "/api/v1/api/alpha/decisions", "/api/v1/systemone"]) {
    const response = await decide(prefix + path)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ answers: { sure: { type: "noul", noul: 0.75 } } })
  }
  const health = await get(`${prefix}/api/v1/signalbox/health`)
  expect(health.status).toBe(401)
  const document = await get(`${prefix}/api/v1/openapi.json`)
  expect(await document.json()).toMatchObject({ servers: [{ url: server }] })
})

test("other paths stay with the host, under the mount too", async () => {
  const { decide, get } = await startHost(makeOptions(makeUpstream()), "/ai")
  expect(await (await get("/hello")).text()).toBe("hello from the host")
  for (const response of [
    await get("/ai/elsewhere"),
    await decide("/api/alpha/decisions"),
    await decide("/air/api/alpha/decisions")
  ]) {
    expect(response.status).toBe(404)
    expect(await response.text()).toBe("")
  }
})

test("paths match exactly, although the host's router ignores case and extra slashes", async () => {
  const { decide, get } = await startHost(makeOptions(makeUpstream()), "/ai")
  expect(await (await get("/ai/api/alpha/decisions")).json()).toMatchObject({
    error: { code: 404, message: "GET /api/alpha/decisions is not served here" }
  })
  for (const path of ["/api/alpha/decisions/", "/api//alpha/decisions", "/api/alpha/Decisions"]) {
    expect((await decide(`/ai${path}`)).status).toBe(404)
  }
  expect((await get("/ai/api/v1/openapi.json;x=1")).status).toBe(404)
  expect((await get("/ai/api/v1/openapi.json?x=1")).status).toBe(200)
})

test("upstreams see the settings of the instance, not the defaults", async () => {
  const seen: Array<number> = []
  const upstream = makeUpstream(
    Effect.map(Settings, ({ headersTimeoutMillis }) => seen.push(headersTimeoutMillis))
  )
  const { decide } = await startHost(makeOptions(upstream, { headersTimeoutMillis: 1_234 }), "/ai")
  expect((await decide("/ai/api/alpha/decisions")).status).toBe(200)
  expect(seen).toEqual([1_234])
})

test("closing waits for a running request and rejects new ones with 503", async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const upstream = makeUpstream(
    Effect.promise(() => {
      arrive()
      return released
    })
  )
  const { decide, dispose } = await startHost(makeOptions(upstream))
  const slow = decide("/api/alpha/decisions")
  await arrived
  let closed = false
  const closing = dispose().finally(() => {
    closed = true
  })
  const rejected = await decide("/api/alpha/decisions")
  expect(rejected.status).toBe(503)
  expect(rejected.headers.get("retry-after")).toBe("1")
  expect(closed).toBe(false)
  release()
  const answered = await slow
  expect(answered.status).toBe(200)
  await answered.text()
  await closing
})

test("a client disconnect interrupts the upstream call and logs no error", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const arrived = Promise.withResolvers<void>()
  const interrupted = Promise.withResolvers<void>()
  const hangs = Effect.andThen(Effect.sync(arrived.resolve), Effect.never)
  const { decide, dispose } = await startHost(
    makeOptions(makeUpstream(Effect.onInterrupt(hangs, () => Effect.sync(interrupted.resolve))))
  )
  const client = new AbortController()
  void decide("/api/alpha/decisions", client.signal)
  await arrived.promise
  client.abort()
  await interrupted.promise
  await dispose()
  expect(log.mock.calls).toEqual([])
})

test("a request that outlasts the drain timeout gets 503", async () => {
  const arrived = Promise.withResolvers<void>()
  const hangs = Effect.andThen(Effect.sync(arrived.resolve), Effect.never)
  const { decide, dispose } = await startHost(
    makeOptions(makeUpstream(hangs), { drainTimeoutMillis: 20 })
  )
  const hung = decide("/api/alpha/decisions")
  await arrived.promise
  const closing = dispose()
  const response = await hung
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({
    error: { code: 503, metadata: { availability: { code: "draining" } } }
  })
  await closing
})

test.each(["", "/ai"])(
  "an instance built inside the host's router at '%s' adds no routes outside its mount",
  async (mount) => {
    const instanceRoutes = routes({ mount }).pipe(
      Layer.provide(layer(makeOptions(makeUpstream()))),
      Layer.provide([FetchHttpClient.layer, NodeCrypto.layerDigest, OutboundHttp.layerNone])
    )
    const { dispose, handler } = HttpRouter.toWebHandler(instanceRoutes, { disableLogger: true })
    running.push(dispose)
    const status = async (path: string) => (await handler(new Request(`http://host${path}`))).status
    expect(await status(`${mount}/api/v1/docs`)).toBe(200)
    expect(await status("/docs")).toBe(404)
    expect(await status(`${mount}/api/v1/signalbox/health`)).toBe(401)
    expect(await status("/api/v1/signalbox/health")).toBe(mount === "" ? 401 : 404)
  }
)
