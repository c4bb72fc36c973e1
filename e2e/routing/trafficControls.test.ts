/** An endpoint that an operator drains, disables or weighs less, in several processes on one store. */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Options } from "@signalbox/core"
import { memoryStores, TrafficControlStore } from "@signalbox/core/stores"
import { type ChatEvent, type Upstream, UpstreamFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { postgres, sqlite } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { expect, inject, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { parseJson } from "../support/HttpResponse.ts"
import { keys } from "../support/TestServer.ts"
import { waitUntil } from "../support/waitUntil.ts"

const sqliteStores = async () => {
  const path = join(await mkdtemp(join(tmpdir(), "controls-")), "signalbox.db")
  return () => sqlite({ path })
}
const postgresStores = async () => {
  const url = inject("postgresUrl")
  const schema = `controls-${crypto.randomUUID()}`
  return () => postgres({ url, schema })
}

const usage = { inputTokens: 10, outputTokens: 2 }

/** Answers at once, and streams until `end` is called. */
const makeUpstream = (
  slug: string,
  complete: Effect.Effect<void, UpstreamFailure> = Effect.void
) => {
  const ended = Promise.withResolvers<void>()
  const answer = { parts: [{ type: "text", text: slug }], end: { reason: "stop" } } as const
  const upstream: Upstream = {
    slug,
    name: slug,
    chat: {
      complete: () => Effect.as(complete, { choices: [{ index: 0, answer }], usage }),
      stream: () =>
        Stream.concat(
          Stream.make<[ChatEvent]>({
            type: "delta",
            choices: [{ index: 0, events: [{ type: "text", text: slug }] }]
          }),
          Stream.concat(
            Stream.fromEffectDrain(Effect.promise(() => ended.promise)),
            Stream.make<[ChatEvent]>({ type: "end", usage })
          )
        ),
      estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
    }
  }
  return { upstream, end: () => ended.resolve() }
}

const start = async (upstreams: ReadonlyArray<Upstream>, options: Partial<Options> = {}) => {
  const instance = await Signalbox.make({
    upstreams,
    models: [
      {
        id: "acme/model",
        endpoints: upstreams.map(({ slug }, index) => ({
          provider: slug,
          price: { prompt: "0", completion: "0", request: `0.0${index + 1}` }
        }))
      }
    ],
    strategy: { name: "cheapest", first: ({ contenders }) => contenders[0]! },
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    ...options
  })
  onTestFinished(() => instance.close())
  const send = (method: string, path: string, body?: object, key: string = keys.management) =>
    instance.fetch(
      new Request(`http://signalbox.invalid/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
  const call = async (...request: Parameters<typeof send>) => {
    const response = await send(...request)
    const body = parseJson(await response.text())
    return { status: response.status, body, data: getProperty(body, "data") }
  }
  const chat = (more: object = {}) =>
    call("POST", "/chat/completions", { ...say, ...more }, keys.member)
  return {
    instance,
    call,
    chat,
    stream: async () => {
      const response = await send(
        "POST",
        "/chat/completions",
        { ...say, stream: true },
        keys.member
      )
      return response.body!.pipeThrough(new TextDecoderStream()).getReader()
    },
    /** The provider that answers a chat. */
    ask: async () => String(getProperty((await chat()).body, "provider")),
    set: (control: object) =>
      call("PUT", "/signalbox/traffic-controls", {
        kind: "endpoint",
        id: "acme/model@one",
        ...control
      })
  }
}

const say = { model: "acme/model", messages: [{ role: "user", content: "Is it calm?" }] }

test("a drained endpoint gets no new requests in any process, while its stream goes on", async () => {
  const makeStores = await postgresStores()
  const one = makeUpstream("one")
  const upstreams = [one.upstream, makeUpstream("two").upstream]
  const first = await start(upstreams, { stores: makeStores() })
  const second = await start(upstreams, { stores: makeStores() })
  expect([await first.ask(), await second.ask()]).toEqual(["one", "one"])
  const stream = await second.stream()
  const chunks = [(await stream.read()).value]

  expect((await first.set({ state: "drained" })).data).toMatchObject({ state: "drained" })
  expect(await first.ask()).toBe("two")
  await waitUntil(
    async () => (await second.ask()) === "two",
    "the other process still used the endpoint"
  )
  one.end()
  for (let next = await stream.read(); !next.done; next = await stream.read()) {
    chunks.push(next.value)
  }
  expect(chunks.join("")).toMatch(/"provider":"one"[^]*\[DONE\]/)
  await second.set({})
  await waitUntil(async () => (await first.ask()) === "one", "it was not put back everywhere")
})

test.each([
  ["SQLite", sqliteStores],
  ["Postgres", postgresStores]
])("on %s a control survives a restart, and is audited", async (_, openStores) => {
  const makeStores = await openStores()
  const upstreams = [makeUpstream("one").upstream, makeUpstream("two").upstream]
  const before = await start(upstreams, { stores: makeStores() })
  const reason = "its certificate runs out"
  const drained = await before.set({ state: "drained", reason })
  expect(drained.data).toMatchObject({ state: "drained", weight: 1, reason, version: 1 })
  await before.instance.close()

  const { ask, call, set } = await start(upstreams, { stores: makeStores() })
  expect(await ask()).toBe("two")
  const { data: endpoints } = await call("GET", "/signalbox/endpoints")
  expect(getProperty(endpoints, "endpoints")).toMatchObject([
    { endpoint_id: "acme/model@one", control: { state: "drained", weight: 1 } },
    { endpoint_id: "acme/model@two", control: { state: "active", weight: 1 } }
  ])
  await set({})
  expect(await ask()).toBe("one")
  const audit = await call("GET", "/signalbox/audit")
  expect(audit.data).toMatchObject([
    {
      action: "traffic_control.set",
      target: "endpoint acme/model@one",
      before: { state: "drained", reason, version: 1 },
      after: { state: "active", reason: null, version: 2 }
    },
    { action: "traffic_control.set", after: { state: "drained", reason, version: 1 } }
  ])
})

test("the record of a request says which endpoints were out of service, and not why", async () => {
  const { call, chat, instance, set } = await start([
    makeUpstream("one").upstream,
    makeUpstream("two").upstream
  ])
  await set({ state: "drained", reason: "a quarrel" })
  await chat()
  const { id } = await instance.generations.list().then(({ data: [record] }) => record!)
  const { data } = await call("GET", `/signalbox/generations/${id}`)
  const record = JSON.stringify(data)
  expect(record).toContain('"rule":"drained"')
  expect(record).not.toContain("quarrel")
})

test("a request that began before skips a disabled endpoint, and tries a drained one", async () => {
  for (const [state, provider] of [
    ["drained", "two"],
    ["disabled", "three"]
  ] as const) {
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const failing = makeUpstream(
      "one",
      Effect.andThen(
        Effect.promise(() => {
          asked.resolve()
          return answered.promise
        }),
        Effect.fail(new UpstreamFailure({ kind: "server_error" }))
      )
    )
    const { ask, set } = await start([
      failing.upstream,
      makeUpstream("two").upstream,
      makeUpstream("three").upstream
    ])
    const asking = ask()
    await asked.promise
    await set({ id: "acme/model@two", state })
    answered.resolve()
    expect(await asking).toBe(provider)
  }
})

test("a provider out of service leaves its requests to others, or a 503 that names the state", async () => {
  const { chat, set, ask } = await start([
    makeUpstream("one").upstream,
    makeUpstream("two").upstream
  ])
  await set({ kind: "provider", id: "one", state: "disabled" })
  expect(await ask()).toBe("two")
  const { body, status } = await chat({ provider: { only: ["one"] } })
  expect(status).toBe(503)
  expect(getProperty(body, "error")).toMatchObject({
    metadata: {
      availability: { code: "temporarily_unavailable", excluded_by: ["disabled"] }
    }
  })
})

test("an endpoint of weight 0 is a fallback", async () => {
  const { ask, instance } = await start([
    makeUpstream("one").upstream,
    makeUpstream("two").upstream
  ])
  const weighed = { kind: "endpoint", id: "acme/model@one", weight: 0 } as const
  await instance.traffic.setControl(weighed)
  expect(await ask()).toBe("two")
  await instance.traffic.setControl({ ...weighed, id: "acme/model@two", state: "drained" })
  expect(await ask()).toBe("one")
  const { data } = await instance.traffic.listControls()
  expect(data.map(({ id, state, weight }) => [id, state, weight])).toEqual([
    ["acme/model@one", "active", 0],
    ["acme/model@two", "drained", 0]
  ])
})

test("a control whose operator left while it was set was stored, and did not hold in this process", async () => {
  const [reading, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isSet = false
  const slow = Layer.effect(
    TrafficControlStore,
    Effect.map(TrafficControlStore, (store): TrafficControlStore["Service"] => ({
      list: Effect.suspend(() => {
        if (!isSet) return store.list
        reading.resolve()
        return Effect.andThen(
          Effect.promise(() => read.promise),
          store.list
        )
      }),
      update: (target, change) =>
        Effect.tap(store.update(target, change), () => {
          isSet = true
          return Effect.void
        })
    }))
  )
  const { ask, instance } = await start(
    [makeUpstream("one").upstream, makeUpstream("two").upstream],
    { stores: Layer.provideMerge(slow, memoryStores) }
  )
  const leaving = new AbortController()
  const setting = instance.traffic.setControl(
    { kind: "endpoint", id: "acme/model@one", state: "drained" },
    { signal: leaving.signal }
  )
  await reading.promise
  leaving.abort()
  read.resolve()
  await expect(setting).rejects.toMatchObject({ name: "AbortError" })
  expect(await ask()).toBe("two")
})

test("a change that is based on another version is a conflict, and one that changes nothing no change", async () => {
  const { call, set } = await start([makeUpstream("one").upstream])
  expect((await set({ state: "drained", version: 0 })).data).toMatchObject({ version: 1 })
  expect((await set({ state: "drained", version: 1 })).data).toMatchObject({ version: 1 })
  const late = await set({ state: "disabled", version: 0 })
  expect(late.status).toBe(409)
  expect(getProperty(late.body, "error")).toMatchObject({
    metadata: { reason: "control_changed", retryable: false }
  })
  const { data } = await call("GET", "/signalbox/audit")
  expect(data).toHaveLength(1)
})

test("a control names an endpoint or a provider of the catalog, or one that has left it", async () => {
  const { instance, set } = await start([
    makeUpstream("one").upstream,
    makeUpstream("two").upstream
  ])
  for (const unknown of [
    { id: "acme/other@one", state: "drained" },
    { kind: "provider", id: "__proto__" }
  ]) {
    expect((await set(unknown)).status).toBe(400)
  }
  for (const invalid of [{ weight: 1.5 }, { weight: -1 }, { state: "off" }, { reason: "" }]) {
    expect((await set(invalid)).status).toBe(400)
  }
  await set({ state: "drained" })
  const endpoint = { provider: "two", price: { prompt: "0", completion: "0" } }
  await instance.replace({ models: [{ id: "acme/model", endpoints: [endpoint] }] })
  expect((await set({ state: "disabled" })).status).toBe(400)
  expect((await set({})).data).toMatchObject({ state: "active", version: 2 })
})
