import { once } from "node:events"
import { createRequire } from "node:module"
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http"
import { pipeline, type Readable } from "node:stream"
import { buffer, json } from "node:stream/consumers"
import { createGunzip, gzipSync } from "node:zlib"
import type { DecisionReply, Upstream } from "@signalbox/core/upstream"
import { signalbox } from "@signalbox/fastify"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import fastify, {
  type FastifyPluginCallback,
  type FastifyServerOptions,
  type RouteHandlerMethod
} from "fastify"
import { describe, expect, it, onTestFinished } from "vitest"

const require = createRequire(import.meta.url)

const reply: Effect.Effect<DecisionReply> = Effect.succeed({
  verdicts: new Map([["sure", { weights: [1, 0] }]]),
  usage: { inputTokens: 1, outputTokens: 1 },
  method: "native"
})

const makeUpstream = (around: (effect: typeof reply) => typeof reply): Upstream => ({
  slug: "judge",
  name: "Judge",
  decisions: {
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 }),
    decide: () => around(reply)
  }
})

const start = async (
  options?: FastifyServerOptions,
  judge: Upstream = makeUpstream((effect) => effect)
) => {
  const instance = await Signalbox.make({
    upstreams: [judge],
    models: [{ id: "test/model", endpoints: [{ provider: judge.slug, price: {} }] }],
    keys: [{ key: "sk-member", kind: "member", user: "ada" }],
    settings: { drainTimeoutMillis: 600_000 }
  })
  const app = fastify(options)
  onTestFinished(async () => {
    await app.close()
    await instance.close()
  })
  return { app, instance }
}

const decision = JSON.stringify({
  model: "test/model",
  state: "anything",
  questions: { sure: { type: "noul", instructions: "Are you sure?" } }
})

const makeRequest = (url: string, payload: string | Buffer = decision, headers = {}) => ({
  method: "POST" as const,
  url,
  payload,
  headers: {
    authorization: "Bearer sk-member",
    "content-type": "application/json",
    ...headers
  }
})

const toResult = async (sent: ClientRequest) => {
  const [response] = (await once(sent, "response")) as [IncomingMessage]
  return { status: response.statusCode, body: await json(response) }
}

describe("the Fastify plugin", () => {
  it("says of itself as a handler that it is a plugin", async () => {
    const { app, instance } = await start()
    app.all("/ai/*", signalbox(instance) as unknown as RouteHandlerMethod)
    const answer = await app.inject({ method: "GET", url: "/ai/api/v1/models" })
    expect(answer.statusCode).toBe(500)
    expect(answer.json().message).toContain("app.register(signalbox(instance)")
  })

  it("says of a body that a hook has read that it is lost", async () => {
    const { app, instance } = await start()
    app.addHook("onRequest", async ({ raw }) => {
      await buffer(raw)
    })
    app.register(signalbox(instance), { prefix: "/ai" })
    const origin = await app.listen({ port: 0, host: "127.0.0.1" })
    const response = await fetch(`${origin}/ai/api/alpha/decisions`, {
      ...makeRequest(""),
      body: decision
    })
    expect(response.status).toBe(400)
    expect(Object(await response.json()).error.message).toContain("mount Signalbox before")
  })

  it("streams events behind @fastify/compress, which compresses the host's own answers", async () => {
    const words: Upstream = {
      slug: "words",
      name: "Words",
      chat: {
        estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 }),
        complete: () => Effect.never,
        stream: () =>
          Stream.concat(
            Stream.make({
              type: "delta" as const,
              choices: [{ index: 0, events: [{ type: "text" as const, text: "Yes." }] }]
            }),
            Stream.never
          )
      }
    }
    const { app, instance } = await start({ forceCloseConnections: true }, words)
    const compress = require("@fastify/compress") as FastifyPluginCallback<{
      readonly threshold: number
      readonly customTypes: RegExp
    }>
    // A type that the plugin leaves alone by default.
    await app.register(compress, { threshold: 0, customTypes: /^text\/event-stream|json/u })
    app.register(signalbox(instance), { prefix: "/ai" })
    app.get("/own", () => ({ host: "here" }))
    const origin = await app.listen({ port: 0, host: "127.0.0.1" })
    const own = await fetch(`${origin}/own`)
    expect([own.headers.get("content-encoding"), await own.json()]).toEqual([
      expect.stringMatching(/^(?:br|gzip|deflate)$/),
      { host: "here" }
    ])
    const controller = new AbortController()
    const { body, headers } = await fetch(`${origin}/ai/api/v1/chat/completions`, {
      ...makeRequest(""),
      signal: controller.signal,
      body: JSON.stringify({
        model: "test/model",
        stream: true,
        messages: [{ role: "user", content: "Are you there?" }]
      })
    })
    expect(headers.get("cache-control")).toBe("no-cache, no-transform")
    let text = ""
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes("Yes.")) break
    }
    controller.abort()
    expect(text).toContain("Yes.")
  })

  it("answers injected requests, and the instance closes after them", async () => {
    const { app, instance } = await start()
    await app.register(signalbox(instance), { prefix: "/ai" })
    const answer = await app.inject(makeRequest("/ai/api/alpha/decisions"))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ answers: { sure: { noul: 1 } } })
    const refused = await app.inject(makeRequest("/ai/api/alpha/decisions", "{"))
    expect(refused.json()).toMatchObject({ error: { code: 400 } })
    const document = await app.inject("/ai/api/v1/openapi.json")
    expect(document.json()).toMatchObject({ servers: [{ url: "/ai" }] })
    const head = await app.inject({ method: "HEAD", url: "/ai/api/v1/openapi.json" })
    expect(head).toMatchObject({ statusCode: 200, body: "" })
    await instance.close()
    expect(await instance.health()).toMatchObject({ running: 0 })
  })

  it("survives a large injected body that nothing reads", async () => {
    const { app, instance } = await start()
    await app.register(signalbox(instance))
    const headers = { authorization: "Bearer nobody" }
    const stranger = makeRequest("/api/alpha/decisions", "x".repeat(1_000_000), headers)
    expect((await app.inject(stranger)).statusCode).toBe(401)
    expect(await instance.health()).toMatchObject({ running: 0 })
  })

  it("links in responses have the values of a prefix with parameters", async () => {
    const { app, instance } = await start()
    await app.register((tenants) => tenants.register(signalbox(instance), { prefix: "/ai/" }), {
      prefix: "/tenants/:tenant"
    })
    for (const tenant of ["7", "a%2Fb", "%F0%9F%90%82"]) {
      const mount = `/tenants/${tenant}/ai`
      const document = await app.inject(`${mount}/api/v1/openapi.json?tenant=other`)
      expect(document.json()).toMatchObject({ servers: [{ url: mount }] })
      expect((await app.inject(makeRequest(`${mount}/api/alpha/decisions`))).statusCode).toBe(200)
    }
  })

  it("leaves the parsers, the error handler and the 404 of the host unchanged", async () => {
    const { app, instance } = await start({
      routerOptions: {
        caseSensitive: false,
        ignoreDuplicateSlashes: true,
        ignoreTrailingSlash: true
      }
    })
    app.setNotFoundHandler((_request, reply) => reply.code(404).send("the host's 404"))
    app.setErrorHandler<Error>(({ message }, _request, reply) =>
      reply.code(418).send(`the host's: ${message}`)
    )
    await app.register(signalbox(instance), { prefix: "/ai" })
    app.post("/own", ({ body }) => ({ body }))

    const own = { method: "POST" as const, url: "/own" }
    const json = await app.inject({ ...own, payload: { a: 1 } })
    expect(json.json()).toEqual({ body: { a: 1 } })
    const headers = { "content-type": "application/xml" }
    const unknown = await app.inject({ ...own, payload: "<a/>", headers })
    expect([unknown.statusCode, unknown.body]).toEqual([
      418,
      expect.stringMatching(/^the host's: .*Unsupported Media Type/)
    ])
    for (const url of [
      "/ai/api/v2/models",
      "/AI/API/V1/models",
      "//ai/api/v1/openapi.json",
      "/ai//api/v1/openapi.json"
    ]) {
      expect(await app.inject(url)).toMatchObject({ statusCode: 404, body: "the host's 404" })
    }
    for (const url of [
      "/ai/api/v1",
      "/ai/api/v1/nothing",
      "/ai/api/v1/openapi.json/",
      "/ai/api/v1/OpenAPI.json"
    ]) {
      const answer = await app.inject(url)
      expect(answer.json()).toMatchObject({ error: { code: 404 } })
    }
  })

  it("runs after the hooks of the host for every request", async () => {
    const { app, instance } = await start()
    app.addHook("preHandler", async (request) => {
      if (request.headers["x-user"] === undefined) throw new Error("who are you?")
    })
    await app.register(signalbox(instance))
    const turnedAway = await app.inject(makeRequest("/api/alpha/decisions"))
    expect(turnedAway).toMatchObject({ statusCode: 500 })
    expect(turnedAway.json()).toMatchObject({ message: "who are you?" })
    const known = { "x-user": "7" }
    expect(
      (await app.inject(makeRequest("/api/alpha/decisions", decision, known))).statusCode
    ).toBe(200)
    // A content type Fastify itself cannot read skips the hooks, so it must not reach the service.
    const garbled = await app.inject(
      makeRequest("/api/alpha/decisions", decision, { "content-type": ";" })
    )
    expect(garbled.json()).toMatchObject({
      error: { code: 400, message: "Invalid request: the content type must be application/json" }
    })
  })

  it("sends headers that hooks have set", async () => {
    const { app, instance } = await start()
    app.addHook("onRequest", async (_request, reply) => {
      reply.header("access-control-allow-origin", "https://app.example")
      reply.header("set-cookie", ["a=1", "b=2"])
    })
    await app.register(signalbox(instance))
    for (const payload of [decision, "{"]) {
      const { headers } = await app.inject(makeRequest("/api/alpha/decisions", payload))
      expect(headers).toMatchObject({
        "access-control-allow-origin": "https://app.example",
        "set-cookie": ["a=1", "b=2"]
      })
    }
  })

  it("reads a body that a hook has decompressed, up to the limit", async () => {
    const { app, instance } = await start()
    app.addHook("preParsing", (request, _reply, payload, done) => {
      const isPacked = request.headers["content-encoding"] === "gzip"
      done(null, isPacked ? payload.pipe(createGunzip()) : payload)
    })
    await app.register(signalbox(instance))
    const packed = (body: string | Buffer) =>
      app.inject(
        makeRequest("/api/alpha/decisions", gzipSync(body), { "content-encoding": "gzip" })
      )
    expect((await packed(decision)).statusCode).toBe(200)
    expect((await packed(Buffer.alloc(64 * 1024 * 1024, " "))).json()).toMatchObject({
      error: { code: 413 }
    })
    expect((await app.inject(makeRequest("/api/alpha/decisions"))).statusCode).toBe(200)
  })

  describe.each([
    ["pipe", (payload: Readable) => payload.pipe(createGunzip())],
    // Takes the request down with the decoder, as @fastify/compress does.
    ["pipeline", (payload: Readable) => pipeline(payload, createGunzip(), () => {})]
  ])("after a hook that decompresses with %s", (_, unpack) => {
    const packed = gzipSync(decision)
    it.each([
      ["no gzip at all", Buffer.from("no gzip")],
      ["cut short", packed.subarray(0, -9)],
      ["4 MiB of something else", Buffer.alloc(4 * 1024 * 1024, "A")],
      ["broken after its beginning", Buffer.concat([packed.subarray(0, 20), packed])]
    ])("a corrupt body is a 400: %s", async (_, body) => {
      const { app, instance } = await start({ forceCloseConnections: true })
      app.addHook("preParsing", (request, _reply, payload, done) => {
        done(null, "content-encoding" in request.headers ? unpack(payload as Readable) : payload)
      })
      await app.register(signalbox(instance))
      const origin = await app.listen({ port: 0, host: "127.0.0.1" })
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      onTestFinished(() => agent.destroy())
      const begin = (bytes: number, headers = {}) =>
        request(`${origin}/api/alpha/decisions`, {
          agent,
          method: "POST",
          headers: { ...makeRequest("").headers, "content-length": bytes, ...headers }
          // After an answer the rest of the body does not matter.
        }).on("error", () => {})
      const post = (payload: Buffer | string, headers = {}) =>
        toResult(begin(Buffer.byteLength(payload), headers).end(payload))
      const gzip = { "content-encoding": "gzip" }
      const message = "Invalid request: the body could not be read"
      expect(await post(body, gzip)).toMatchObject({ status: 400, body: { error: { message } } })
      expect(await post(decision)).toMatchObject({ status: 200 })
      // A stranger learns nothing of it.
      const stranger = { ...gzip, authorization: "Bearer nobody" }
      expect(await post(body, stranger)).toMatchObject({ status: 401 })
      expect(await post(decision)).toMatchObject({ status: 200 })
      // What comes of it late is not in the way of what comes next.
      const late = begin(200_000, gzip)
      late.write(Buffer.alloc(100_000, "A"))
      expect(await toResult(late)).toMatchObject({ status: 400 })
      late.end(Buffer.alloc(100_000))
      expect(await post(decision)).toMatchObject({ status: 200 })
    })
  })

  it("a preClose hook that closes the instance lets running requests finish", async () => {
    const called = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const slow = makeUpstream((reply) =>
      Effect.sync(called.resolve).pipe(
        Effect.andThen(Effect.promise(() => released.promise)),
        Effect.andThen(reply)
      )
    )
    const { app, instance } = await start({ forceCloseConnections: true }, slow)
    app.addHook("preClose", () => instance.close())
    await app.register(signalbox(instance))
    const origin = await app.listen({ port: 0, host: "127.0.0.1" })
    const { method, payload, headers } = makeRequest("")
    const answer = fetch(`${origin}/api/alpha/decisions`, { method, headers, body: payload })
    await called.promise
    const closed = app.close()
    released.resolve()
    expect((await answer).status).toBe(200)
    await closed
    expect(await instance.health()).toMatchObject({ status: "draining", running: 0 })
  })
})
