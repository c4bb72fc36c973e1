/** The semantic stage of the cache: what an implementation of the host finds, to whom it is served, and what its failures do. */
import type { SemanticCache } from "@signalbox/core/adapter"
import { Signalbox } from "@signalbox/node"
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { hosts } from "../support/hosts.ts"
import { RecordingCache } from "./RecordingCache.ts"
import { askingForCache as on, type Fields, startCacheServer } from "./startCacheServer.ts"
import { WordCache } from "./WordCache.ts"

type Options = NonNullable<Parameters<typeof startCacheServer>[0]>

const twoHosts = hosts.filter(({ name }) => name === "Express 5" || name === "Fastify 5")

const start = async (
  { responseCache, ...options }: Options = {},
  host?: Parameters<typeof startCacheServer>[1]
) => {
  const semantic = new WordCache()
  const started = await startCacheServer(
    { ...options, responseCache: { semantic, ...responseCache } },
    host
  )
  const say = (content: unknown, fields: Fields = {}, headers?: typeof on, key?: string) =>
    started.ask({ messages: [{ role: "user", content }], ...fields }, headers, key)
  /** Prompts are added beside the request. */
  const waitForPrompts = (count: number) =>
    expect.poll(() => semantic.prompts.size, { timeout: 60_000 }).toBe(count)
  return { ...started, say, semantic, waitForPrompts }
}

const calm = "Is it calm at sea?"
const alike = "at sea, is it calm"

describe.each(twoHosts)("on $name", (host) => {
  test.each([false, true])(
    "a chat that asks the same in other words has the answer, and says so; streamed: %s",
    async (stream) => {
      const { first, instance, say, waitForPrompts } = await start({}, host)
      const miss = await say(calm, { stream })
      expect(miss).toMatchObject({ status: 200, cache: "MISS" })
      await waitForPrompts(1)
      const hit = await say(alike, { stream })
      expect(hit).toMatchObject({
        status: 200,
        cache: "HIT",
        text: expect.stringContaining("by the first"),
        headers: {
          "x-signalbox-cache-match": "semantic",
          "x-openrouter-cache-source-id": miss.headers["x-generation-id"]
        }
      })
      const same = await say(calm, { stream })
      expect(same.cache).toBe("HIT")
      expect(same.headers["x-signalbox-cache-match"]).toBeUndefined()
      expect(first.requests).toHaveLength(1)
      const { data } = await instance.generations.list({ limit: 10 })
      const uses = new Map(data.map(({ cache, cost, id }) => [id, { ...cache, cost }]))
      expect(uses.get(hit.headers["x-generation-id"] ?? "")).toEqual({
        status: "hit",
        source_id: miss.headers["x-generation-id"],
        saved: 0.000016,
        match: "semantic",
        cost: 0
      })
      expect(uses.get(same.headers["x-generation-id"] ?? "")).toMatchObject({ match: "exact" })
      expect(uses.get(miss.headers["x-generation-id"] ?? "")).toMatchObject({ match: null })
    }
  )
})

const toMessage = (text: string) => ({ role: "user", content: [{ type: "text", text }] })

test("Messages and Responses are compared, too, each within its API", async () => {
  const { host, semantic, waitForPrompts } = await start()
  const ask = async (path: string, fields: Fields) => {
    const response = await fetch(`${host.origin}/api/v1/${path}`, {
      method: "POST",
      headers: { authorization: "Bearer sk-one", "content-type": "application/json", ...on },
      body: JSON.stringify({ model: "proof/model:floor", ...fields })
    })
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    return response.headers.get("x-signalbox-cache-match")
  }
  expect(await ask("messages", { max_tokens: 9, messages: [toMessage(calm)] })).toBeNull()
  expect(await ask("responses", { input: calm })).toBeNull()
  await waitForPrompts(2)
  expect(await ask("messages", { max_tokens: 9, messages: [toMessage(alike)] })).toBe("semantic")
  expect(await ask("responses", { input: alike })).toBe("semantic")
  expect(await ask("responses", { input: [{ role: "user", content: alike }] })).toBeNull()
  expect(new Set(semantic.lookups.map(({ partition }) => partition)).size).toBe(3)
})

test("everything but the last message must be the same, and that the user's text alone", async () => {
  const { say, semantic, waitForPrompts } = await start()
  await say(calm)
  await waitForPrompts(1)
  const before = { role: "system", content: "Be brief." }
  const others: ReadonlyArray<Fields> = [
    { temperature: 0 },
    { model: "proof/model", seed: 1 },
    { messages: [before, { role: "user", content: alike }] },
    { stop: ["x"] }
  ]
  for (const fields of others) {
    const { cache, headers } = await say(alike, fields)
    expect([cache, headers["x-signalbox-cache-match"]]).toEqual(["MISS", undefined])
  }
  const compared = semantic.lookups.length
  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }]
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }
  await say(alike, { tools })
  await say([{ type: "text", text: alike }, image])
  await say("", {
    messages: [
      { role: "user", content: calm },
      { role: "assistant", content: "Y" }
    ]
  })
  await say("  ")
  expect(semantic.lookups).toHaveLength(compared)
})

test("a caller that wants its own request's answer alone, or a new one, gets that", async () => {
  const { first, instance, say, waitForPrompts } = await start()
  await say(calm)
  await waitForPrompts(1)
  const exact = { ...on, "x-signalbox-cache-match": "exact" }
  expect((await say(alike, {}, exact)).cache).toBe("MISS")
  expect((await say(alike, {}, exact)).cache).toBe("HIT")
  const cleared = { ...on, "x-openrouter-cache-clear": "true" }
  expect((await say("sea calm it is at", {}, cleared)).cache).toBe("MISS")
  expect(first.requests).toHaveLength(3)
  const messages = [{ role: "user" as const, content: "it is calm at sea" }]
  const reports: Array<unknown> = []
  const call = (cache: true | { readonly match: "exact" }) =>
    instance.chat(
      { model: "proof/model:floor", messages },
      { cache, onRoute: (report) => reports.push(report.cache) }
    )
  await call(true)
  await call({ match: "exact" })
  expect(reports).toEqual([
    expect.objectContaining({ status: "HIT", match: "semantic" }),
    expect.objectContaining({ status: "MISS" })
  ])
})

test("callers share with those of their scope alone", async () => {
  const shared = await start()
  await shared.say(calm)
  await shared.waitForPrompts(1)
  expect((await shared.say(alike, {}, on, "sk-elsewhere")).cache).toBe("MISS")
  expect((await shared.say(alike, {}, on, "sk-two")).cache).toBe("HIT")
  const byUser = await start({ responseCache: { scope: "external_user" } })
  await byUser.say(calm, { user: "ada" })
  await byUser.waitForPrompts(1)
  expect((await byUser.say(alike, { user: "bea" })).cache).toBe("MISS")
  expect((await byUser.say("sea calm is it at", { user: "ada" })).cache).toBe("HIT")
})

test.each([
  undefined,
  { current: "test", keys: { test: "sealing keys of tests have 32 letters" } }
])(
  "an implementation that mixes up tenants serves no answer of another one; sealing: %j",
  async (sealing) => {
    const cache = new RecordingCache()
    const semantic: SemanticCache = {
      find: () => [...cache.answers.keys()][0],
      add: () => undefined,
      removeAll: () => undefined
    }
    const { ask, first } = await startCacheServer({
      ...(sealing === undefined ? { sealing: undefined as never } : { sealing }),
      responseCache: { semantic, store: cache.store, scope: "external_user" }
    })
    first.always(reply.chat("of the victim"))
    await ask({ user: "victim" })
    first.always(reply.chat("of the asker"))
    for (const [user, key] of [
      ["other", "sk-one"],
      ["victim", "sk-elsewhere"]
    ] as const) {
      const said = await ask({ user, seed: 1 }, on, key)
      expect(said).toMatchObject({ cache: "MISS", said: expect.stringContaining("of the asker") })
    }
    // Another request of the same caller is none of the partition either.
    expect((await ask({ user: "victim", seed: 2 })).cache).toBe("MISS")
  }
)

test("the endpoint that answered must be one that this caller may use now", async () => {
  const { first, manage, say, waitForPrompts } = await start()
  await say(calm)
  await waitForPrompts(1)
  expect((await say(alike, { provider: { only: ["second"] } })).said).toContain("by the second")
  expect((await say("sea at calm is it", { provider: { zdr: true } })).cache).toBeUndefined()
  const { body } = await manage("/guardrails", { name: "no first", ignored_providers: ["first"] })
  const { data } = body as { readonly data: { readonly id: string } }
  await manage(`/guardrails/${data.id}/assignments/members`, { member_user_ids: ["mem-2"] })
  const guarded = await say("calm at sea is it", {}, on, "sk-two")
  expect(guarded.said).toContain("by the second")
  expect(first.requests).toHaveLength(2)
})

test("requests that are the same at once look for a similar one once", async () => {
  const { first, say, semantic, waitForPrompts } = await start()
  await say(calm)
  await waitForPrompts(1)
  const gate = Promise.withResolvers<void>()
  const find = semantic.find.bind(semantic)
  semantic.find = async (prompt) => {
    await gate.promise
    return find(prompt)
  }
  const asking = Array.from({ length: 5 }, () => say(alike))
  gate.resolve()
  for (const { cache, headers } of await Promise.all(asking)) {
    expect([cache, headers["x-signalbox-cache-match"]]).toEqual(["HIT", "semantic"])
  }
  expect(first.requests).toHaveLength(1)
})

const failing = {
  "throws at once": () => {
    throw new Error("down")
  },
  rejects: () => Promise.reject(new Error("down")),
  "never ends": () => new Promise<never>(() => undefined),
  "returns nonsense": () => 7 as never,
  "names a key that is none": () => "__proto__"
}

test.each(Object.entries(failing))(
  "an implementation that %s hurts no request",
  async (_, call) => {
    const { ask, first, instance } = await startCacheServer({
      settings: { semanticCacheTimeoutMillis: 5 },
      responseCache: { semantic: { find: call, add: call, removeAll: () => undefined } }
    })
    expect(await ask()).toMatchObject({ status: 200, cache: "MISS" })
    expect(await ask()).toMatchObject({ status: 200, cache: "HIT" })
    expect(await ask({ seed: 1 })).toMatchObject({ status: 200, cache: "MISS" })
    expect(first.requests).toHaveLength(2)
    const { data } = await instance.generations.list({ limit: 10 })
    expect(data.map(({ outcome }) => outcome)).toEqual(["answered", "answered", "answered"])
  }
)

test("a call that takes too long is told so", async () => {
  const aborted = Promise.withResolvers<void>()
  const { ask } = await startCacheServer({
    settings: { semanticCacheTimeoutMillis: 5 },
    responseCache: {
      semantic: {
        find: ({ signal }) =>
          new Promise(() => signal.addEventListener("abort", () => aborted.resolve())),
        add: () => undefined,
        removeAll: () => undefined
      }
    }
  })
  expect((await ask()).cache).toBe("MISS")
  await aborted.promise
})

test("a client that leaves while a similar request is looked for leaves nothing behind", async () => {
  const { first, host, say, semantic } = await start({
    settings: { semanticCacheTimeoutMillis: 60_000 }
  })
  const looking = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const find = semantic.find.bind(semantic)
  semantic.find = ({ signal }) => {
    looking.resolve()
    return new Promise(() => signal.addEventListener("abort", () => aborted.resolve()))
  }
  const leaving = new AbortController()
  const left = fetch(`${host.origin}/api/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer sk-one", "content-type": "application/json", ...on },
    body: JSON.stringify({
      model: "proof/model:floor",
      messages: [{ role: "user", content: calm }]
    }),
    signal: leaving.signal
  }).catch(() => "left")
  await looking.promise
  leaving.abort()
  expect(await left).toBe("left")
  await aborted.promise
  semantic.find = find
  expect((await say(calm)).cache).toBe("MISS")
  expect(first.requests).toHaveLength(1)
})

test("prompts are forgotten with their key, their person and their workspace", async () => {
  const { instance, manage, say, semantic, waitForPrompts } = await start()
  const { body } = await manage("/keys", { name: "for a while" })
  const { data, key } = body as { readonly data: { readonly hash: string }; readonly key: string }
  await say(calm, {}, on, key)
  await say("one", { user: "ada" })
  await say("two", {}, on, "sk-two")
  await say("three", {}, on, "sk-elsewhere")
  await waitForPrompts(4)
  const listTexts = () => Array.from(semantic.prompts.values(), ({ text }) => text).toSorted()
  expect((await manage(`/keys/${data.hash}`, undefined, "DELETE")).status).toBe(200)
  expect(listTexts()).toEqual(["one", "three", "two"])
  expect((await say(alike)).cache).toBe("MISS")
  await waitForPrompts(4)
  await instance.people.erase({ external_user: "ada" })
  await instance.people.erase({ user: "mem-2" })
  expect(listTexts()).toEqual([alike, "three"])
})

test("an answer that may not be stored is not compared: prompts have no answer then", async () => {
  const { first, manage, say, semantic } = await start()
  first.always(reply.chat("cut", { finishReason: "content_filter" }))
  expect((await say(calm)).cache).toBe("MISS")
  expect(semantic.prompts.size).toBe(0)
  first.always(reply.chat("paid by the customer"))
  expect((await manage("/byok", { provider: "first", key: "sk-of-the-customer" })).status).toBe(201)
  expect((await say(alike)).cache).toBeUndefined()
  expect(semantic.prompts.size).toBe(0)
  expect(semantic.lookups).toHaveLength(1)
})

test("a prompt is compared as its guardrail has redacted it", async () => {
  const { instance, say, semantic, waitForPrompts } = await start()
  await instance.guardrails.update({
    id: "ffffffff-0000-4000-8000-000000000000",
    content_filter_builtins: [{ slug: "email", action: "redact" }]
  })
  await say("Write to ada@example.com")
  await waitForPrompts(1)
  expect(semantic.lookups.map(({ text }) => text)).toEqual(["Write to [EMAIL]"])
})

test("slow adds of many answers are left out, and delay nobody", async () => {
  const { ask, first } = await startCacheServer({
    settings: { semanticCacheTimeoutMillis: 600_000 },
    responseCache: {
      semantic: {
        find: () => undefined,
        add: () => new Promise(() => undefined),
        removeAll: () => undefined
      }
    }
  })
  for (let seed = 0; seed < 70; seed++) expect((await ask({ seed })).cache).toBe("MISS")
  expect(first.requests).toHaveLength(70)
})

test("a semantic cache without its functions is refused", async () => {
  for (const semantic of [{}, { find: () => undefined }, "redis"]) {
    await expect(
      Signalbox.make({ upstreams: [], models: [], responseCache: { semantic } as never })
    ).rejects.toThrow(RangeError)
  }
})
