/** Which requests share an answer, how long it is kept, and what never is. */
import { pace, reply } from "@signalbox/testing"
import { Signalbox } from "@signalbox/node"
import { expect, onTestFinished, test, vi } from "vitest"
import { waitUntil } from "../support/waitUntil.ts"
import { askingForCache as on, type Fields, startCacheServer as start } from "./startCacheServer.ts"

test("without a header nothing is stored and nothing is said", async () => {
  const { ask, first } = await start()
  for (const headers of [
    {},
    { "x-openrouter-cache": "false" },
    { "x-openrouter-cache": "yes" },
    { "x-openrouter-cache-ttl": "60" },
    { "x-openrouter-cache-clear": "true" }
  ]) {
    const { cache, ttl } = await ask({}, headers)
    expect([cache, ttl]).toEqual([undefined, undefined])
  }
  expect((await ask()).cache).toBe("MISS")
  expect(first.requests).toHaveLength(6)
})

test("the same request in other words hits: order of keys, white space, and who asks", async () => {
  const { ask, first } = await start()
  await ask({ temperature: 0, top_p: 1, user: "ada", session_id: "s-1", trace: { trace_id: "t" } })
  const again = await ask({ trace: { x: 1 }, user: "bob", top_p: 1, temperature: 0 })
  expect(again.cache).toBe("HIT")
  const reordered = await ask({
    messages: [{ content: "Hi", role: "user" }],
    temperature: 0.0,
    top_p: 1
  })
  expect(reordered.cache).toBe("HIT")
  expect(first.requests).toHaveLength(1)
})

test("a request that a provider would get otherwise misses", async () => {
  const { ask } = await start()
  const requests: ReadonlyArray<Fields> = [
    {},
    { temperature: 0 },
    { temperature: 0.5 },
    { messages: [{ role: "user", content: "hi" }] },
    { messages: [{ role: "system", content: "Hi" }] },
    ...["calm", "rough"].map((content) => ({
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: "a", arguments: "{}" } }]
        },
        // What a tool of the caller said.
        { role: "tool", tool_call_id: "c", content }
      ]
    })),
    { stop: ["x"] },
    { seed: 1 },
    { stream: true },
    { plugins: [{ id: "moderation" }] },
    { tools: [{ type: "function", function: { name: "a", parameters: { type: "object" } } }] },
    {
      response_format: {
        type: "json_schema",
        json_schema: { name: "a", schema: { properties: { a: {}, b: {} } } }
      }
    },
    {
      response_format: {
        type: "json_schema",
        json_schema: { name: "a", schema: { properties: { b: {}, a: {} } } }
      }
    },
    JSON.parse('{"metadata_like":{"__proto__":1}}') as Fields,
    JSON.parse('{"metadata_like":{"__proto__":2}}') as Fields
  ]
  for (const fields of requests) expect((await ask(fields)).cache).toBe("MISS")
  for (const fields of requests) expect((await ask(fields)).cache).toBe("HIT")
})

test("answers stay within their workspace, and within a key or a user if the host says so", async () => {
  const shared = await start()
  await shared.ask()
  expect((await shared.ask({}, on, "sk-two")).cache).toBe("HIT")
  expect((await shared.ask({}, on, "sk-elsewhere")).cache).toBe("MISS")

  const byKey = await start({ responseCache: { scope: "key" } })
  await byKey.ask()
  expect((await byKey.ask({}, on, "sk-two")).cache).toBe("MISS")
  expect((await byKey.ask({ user: "ada" })).cache).toBe("HIT")

  const byUser = await start({ responseCache: { scope: "external_user" } })
  await byUser.ask({ user: "ada" })
  expect((await byUser.ask({ user: "bob" })).cache).toBe("MISS")
  expect((await byUser.ask({ user: "ada" }, on, "sk-two")).cache).toBe("HIT")
  expect((await byUser.ask()).cache).toBe("MISS")
  expect((await byUser.ask({}, on, "sk-two")).cache).toBe("MISS")
})

test.each([
  ["60", "60"],
  ["60abc", "60"],
  ["1.5", "1"],
  ["0", "1"],
  ["-5", "300"],
  ["abc", "300"],
  ["", "300"],
  ["999999999999999999999999", "86400"]
])("the TTL %s is %s seconds", async (given, expected) => {
  const { ask } = await start()
  expect((await ask({}, { ...on, "x-openrouter-cache-ttl": given })).ttl).toBe(expected)
})

test("the host decides for requests that do not say", async () => {
  const { ask, first } = await start({ responseCache: { enabled: true, ttlSeconds: 77 } })
  expect(await ask({}, {})).toMatchObject({ cache: "MISS", ttl: "77" })
  expect((await ask({}, {})).cache).toBe("HIT")
  expect((await ask({}, { "x-openrouter-cache": "false" })).cache).toBeUndefined()
  expect((await ask({ seed: 1 }, { "x-openrouter-cache-ttl": "5" })).ttl).toBe("5")
  expect(first.requests).toHaveLength(3)
})

test("a preset says it for its requests, after the request itself, and nobody overrules its no", async () => {
  const { ask, first } = await start({
    presets: {
      kept: { config: { cache_enabled: true, cache_ttl_seconds: 60 } },
      fresh: { config: { cache_enabled: false } }
    }
  })
  const kept = { preset: "kept" }
  expect(await ask(kept, {})).toMatchObject({ cache: "MISS", ttl: "60" })
  expect((await ask(kept, {})).cache).toBe("HIT")
  // The same request without the preset, which has no other settings.
  expect((await ask()).cache).toBe("HIT")
  expect((await ask(kept, { "x-openrouter-cache": "false" })).cache).toBeUndefined()
  const other = { ...kept, seed: 1 }
  expect(await ask(other, { "x-openrouter-cache-ttl": "5" })).toMatchObject({
    cache: "MISS",
    ttl: "5"
  })
  expect((await ask({ preset: "fresh" }, on)).cache).toBeUndefined()
  expect(first.requests).toHaveLength(4)
})

test("clear replaces one answer, and leaves the others", async () => {
  const { ask, first } = await start()
  await ask()
  await ask({ seed: 1 })
  first.always(reply.chat("something new"))
  const cleared = await ask({}, { ...on, "x-openrouter-cache-clear": "true" })
  expect(cleared).toMatchObject({ cache: "MISS", said: expect.stringContaining("something new") })
  expect(await ask()).toMatchObject({ cache: "HIT", said: expect.stringContaining("new") })
  expect(await ask({ seed: 1 })).toMatchObject({
    cache: "HIT",
    said: expect.stringContaining("by the first")
  })
})

test("an answer expires", async () => {
  const { ask } = await start()
  await ask({}, { ...on, "x-openrouter-cache-ttl": "1" })
  const now = Date.now()
  vi.spyOn(Date, "now").mockImplementation(() => now + 5_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect((await ask()).cache).toBe("MISS")
})

test("only complete answers are stored: no errors, no filtered ones, none with the provider's tools", async () => {
  const { ask, first, second } = await start()
  const steps = [
    reply.chat("cut", { finishReason: "content_filter" }),
    reply.chat("cut", { finishReason: "content_filter" }),
    reply.chat("cut", { finishReason: "length" })
  ]
  for (const step of steps) {
    first.always(step)
    expect((await ask()).cache).toBe("MISS")
  }
  expect((await ask()).cache).toBe("HIT")
  second.always(reply.chat(""))
  const search = { tools: [{ type: "web_search" }], seed: 9 }
  first.always(reply.chat("found"))
  expect((await ask(search)).cache).toBeUndefined()
})

test("a hit needs an endpoint that this caller may use now", async () => {
  const { ask, manage } = await start()
  await ask()
  expect((await ask({ provider: { only: ["second"] } })).said).toContain("by the second")
  expect((await ask({ provider: { only: ["second"] } })).cache).toBe("HIT")
  expect((await ask({ provider: { ignore: ["second"] } })).said).toContain("by the first")
  await manage("/guardrails", { name: "only second", allowed_providers: ["second"] })
  const { body } = await manage("/guardrails", { name: "no first", ignored_providers: ["first"] })
  const { data } = body as { readonly data: { readonly id: string } }
  await manage(`/guardrails/${data.id}/assignments/members`, { member_user_ids: ["mem-2"] })
  expect((await ask({}, on, "sk-two")).said).toContain("by the second")
})

test("nothing is stored or served under zero data retention, or where a guardrail forbids it", async () => {
  const { ask, first, manage } = await start()
  await ask()
  const zdr = await ask({ provider: { zdr: true } })
  expect(zdr.cache).toBeUndefined()
  const { body } = await manage("/guardrails", { name: "strict", enforce_no_store: true })
  const { data } = body as { readonly data: { readonly id: string } }
  await manage(`/guardrails/${data.id}/assignments/members`, { member_user_ids: ["mem-2"] })
  expect((await ask({}, on, "sk-two")).cache).toBeUndefined()
  await manage(
    `/guardrails/${data.id}`,
    { enforce_no_store: false, enforce_zdr_other: true },
    "PATCH"
  )
  expect((await ask({}, on, "sk-two")).cache).toBeUndefined()
  expect((await ask()).cache).toBe("HIT")
  expect(first.requests).toHaveLength(4)
})

test("nothing is stored or served where a customer's own credential pays", async () => {
  const { ask, first, manage } = await start()
  await ask()
  const created = await manage("/byok", { provider: "first", key: "sk-of-the-customer" })
  expect(created.status).toBe(201)
  expect((await ask()).cache).toBeUndefined()
  expect((await ask()).cache).toBeUndefined()
  expect(first.requests).toHaveLength(3)
})

test("requests that are the same at once make one call", async () => {
  const { ask, first } = await start()
  const gate = first.gate()
  first.always(pace.hold(gate, "response_headers", reply.chat("once")))
  const asking = Array.from({ length: 10 }, () => ask())
  await waitUntil(async () => first.requests.length > 0, "no request arrived")
  gate.open()
  const answers = await Promise.all(asking)
  expect(answers.filter(({ cache }) => cache === "HIT")).toHaveLength(9)
  expect(new Set(answers.map(({ headers }) => headers["x-generation-id"])).size).toBe(10)
  expect(first.requests).toHaveLength(1)
})

test("budgets count the leader alone, and a hit is served when they are used up", async () => {
  const { ask, instance } = await start({ credits: { default: "0.0003" } })
  const fields = { max_tokens: 3 }
  let paid = 0
  while ((await ask({ ...fields, seed: paid })).status === 200) paid++
  expect(paid).toBeGreaterThan(0)
  const hits = await Promise.all(Array.from({ length: 5 }, () => ask({ ...fields, seed: 0 })))
  for (const hit of hits) expect(hit).toMatchObject({ status: 200, cache: "HIT" })
  expect((await ask({ ...fields, seed: paid })).status).toBe(402)
  const { data } = await instance.credits.get({})
  expect(data.total_usage).toBeCloseTo(0.000016 * paid, 9)
})

test("answers are sealed, and gone with their key, their person and their workspace", async () => {
  const { ask, instance, manage } = await start()
  const { body } = await manage("/keys", { name: "for a while" })
  const { data, key } = body as { readonly data: { readonly hash: string }; readonly key: string }
  await ask({}, on, key)
  expect((await ask()).cache).toBe("HIT")
  await manage(`/keys/${data.hash}`, undefined, "DELETE")
  expect((await ask({ user: "ada" })).cache).toBe("MISS")
  expect((await ask()).cache).toBe("HIT")
  await instance.people.erase({ external_user: "ada" })
  expect((await ask()).cache).toBe("MISS")
})

test("calls in process use the cache as they say", async () => {
  const { first, instance } = await start()
  const request = {
    model: "proof/model:floor",
    messages: [{ role: "user", content: "Hi" }]
  } as const
  const reports: Array<unknown> = []
  const ask = (cache?: boolean | { readonly ttlSeconds: number }) =>
    instance.chat(request, {
      ...(cache === undefined ? undefined : { cache }),
      onRoute: (report) => reports.push(report.cache?.status)
    })
  await ask()
  await ask({ ttlSeconds: 60 })
  const { usage } = await ask(true)
  await ask(false)
  expect(reports).toEqual([undefined, "MISS", "HIT", undefined])
  expect(usage).toMatchObject({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: 0 })
  expect(first.requests).toHaveLength(3)
  await expect(instance.chat(request, { cache: { ttlSeconds: 0 } })).rejects.toThrow("ttlSeconds")
})

test("bad rules of the host are refused", async () => {
  for (const responseCache of [
    { ttlSeconds: 0 },
    { scope: "everyone" },
    { enabled: 1 },
    { size: 1 }
  ]) {
    await expect(
      Signalbox.make({ upstreams: [], models: [], responseCache: responseCache as never })
    ).rejects.toThrow(RangeError)
  }
})
