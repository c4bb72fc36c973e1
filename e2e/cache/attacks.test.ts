/** What others must not do by the cache of responses: give a tenant an answer, learn of its requests, or push its answers out. */
import { pace, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import type { Options } from "@signalbox/core"
import { makeDecisionRequest, questions, TestServer } from "../support/TestServer.ts"
import { RecordingCache } from "./RecordingCache.ts"
import { askingForCache as on, type Fields, startCacheServer } from "./startCacheServer.ts"

type Started = Awaited<ReturnType<typeof startCacheServer>>
type Ask = Started["ask"]

interface Tenants {
  readonly name: string
  readonly scope?: NonNullable<Options["responseCache"]>["scope"]
  readonly asVictim: (ask: Ask, fields?: Fields) => ReturnType<Ask>
  readonly asAttacker: (ask: Ask, fields?: Fields, headers?: typeof on) => ReturnType<Ask>
}

/** Names that would be those of others if the parts of a key were only joined. */
const oddUsers = ["", "ada ", "ADA", '","ada', '["ada"]', "ada\u0000", "key", "__proto__"]

const tenants: ReadonlyArray<Tenants> = [
  {
    name: "another account",
    asVictim: (ask, fields) => ask(fields, on, "sk-one"),
    asAttacker: (ask, fields, headers = on) => ask(fields, headers, "sk-stranger")
  },
  {
    name: "another account, by the same external user",
    scope: "external_user",
    asVictim: (ask, fields) => ask({ ...fields, user: "ada" }, on, "sk-one"),
    asAttacker: (ask, fields, headers = on) =>
      ask({ ...fields, user: "ada" }, headers, "sk-stranger")
  },
  {
    name: "another workspace",
    asVictim: (ask, fields) => ask(fields, on, "sk-elsewhere"),
    asAttacker: (ask, fields, headers = on) => ask(fields, headers, "sk-one")
  },
  {
    name: "another key",
    scope: "key",
    asVictim: (ask, fields) => ask(fields, on, "sk-one"),
    asAttacker: (ask, fields, headers = on) => ask(fields, headers, "sk-two")
  },
  ...oddUsers.map((user): Tenants => ({
    name: `another external user, ${JSON.stringify(user)}`,
    scope: "external_user",
    asVictim: (ask, fields) => ask({ ...fields, user: "ada" }),
    asAttacker: (ask, fields, headers = on) => ask({ ...fields, user }, headers, "sk-two")
  }))
]

const start = ({ scope }: Tenants, options: Partial<Options> = {}) =>
  startCacheServer({
    ...options,
    responseCache: { ...options.responseCache, ...(scope === undefined ? undefined : { scope }) }
  })

describe.each(tenants)("$name", (tenant) => {
  const { asAttacker, asVictim } = tenant

  test("gives nobody an answer, and removes nobody's", async () => {
    const { ask, first } = await start(tenant)
    first.always(reply.chat("poison"))
    expect((await asAttacker(ask)).cache).toBe("MISS")
    first.always(reply.chat("healthy"))
    expect(await asVictim(ask)).toMatchObject({
      cache: "MISS",
      said: expect.stringContaining("healthy")
    })
    first.always(reply.chat("poison"))
    const clearing = { ...on, "x-openrouter-cache-clear": "true" }
    expect((await asAttacker(ask, {}, clearing)).cache).toBe("MISS")
    expect(await asVictim(ask)).toMatchObject({
      cache: "HIT",
      said: expect.stringContaining("healthy")
    })
  })

  test("cannot tell by time or headers what somebody else has asked, or is asking", async () => {
    const cache = new RecordingCache()
    const { ask, first } = await start(tenant, { responseCache: { store: cache.store } })
    const gate = first.gate()
    first.script(pace.hold(gate, "response_headers", reply.chat("slow")))
    const asking = asVictim(ask)
    await first.waitForRequests(1)
    // A call under way is not shared: this one does not wait for it.
    const during = await asAttacker(ask)
    expect(first.requests).toHaveLength(2)
    gate.open()
    await asking
    const never = await asAttacker(ask, { seed: 1 })
    const known = await asVictim(ask, { seed: 2 })
    const after = await asAttacker(ask, { seed: 2 })
    expect(known.cache).toBe("MISS")
    for (const { cache: status, headers } of [during, never, after]) {
      expect(status).toBe("MISS")
      expect(Object.keys(headers)).not.toContain("x-openrouter-cache-age")
    }
    // Each looks for an answer once, whether or not others have it.
    expect(cache.lookups).toHaveLength(5)
    expect(new Set(cache.lookups).size).toBe(5)
  })
})

test("a sealed answer that somebody moves in the store to another tenant's key is not served", async () => {
  const cache = new RecordingCache()
  const { ask, first } = await startCacheServer({ responseCache: { store: cache.store } })
  first.always(reply.chat("poison"))
  await ask({}, on, "sk-one")
  await ask({}, on, "sk-elsewhere")
  const [own, other] = Array.from(cache.answers.values())
  if (own === undefined || other === undefined) throw new Error("both answers are stored")
  expect([own.text, other.text].join()).not.toContain("poison")
  first.always(reply.chat("healthy"))
  for (const text of [own.text, own.text.replace(/.{8}"\}$/, 'AAAAAAA="}'), "", "{}", "null"]) {
    cache.answers.set(other.key, { ...other, text })
    expect((await ask({}, on, "sk-elsewhere")).cache).toBe("MISS")
  }
  expect(await ask({}, on, "sk-elsewhere")).toMatchObject({
    cache: "HIT",
    said: expect.stringContaining("healthy")
  })
})

test("a workspace that fills the cache pushes out its own answers, and no others", async () => {
  const { ask } = await startCacheServer({ settings: { maxResponseCacheBytes: 20_000 } })
  await ask({}, on, "sk-elsewhere")
  await ask({ seed: -1 })
  for (let seed = 0; seed < 60; seed++) expect((await ask({ seed })).cache).toBe("MISS")
  expect((await ask({}, on, "sk-elsewhere")).cache).toBe("HIT")
  expect((await ask({ seed: 59 })).cache).toBe("HIT")
  expect((await ask({ seed: -1 })).cache).toBe("MISS")
})

test("an account that fills the cache from many workspaces pushes out its own answers, and no others", async () => {
  const { ask, instance } = await startCacheServer({ settings: { maxResponseCacheBytes: 20_000 } })
  // More than each workspace of the attacker will have.
  for (let seed = 0; seed < 5; seed++) await ask({ seed }, on, "sk-stranger")
  for (let each = 0; each < 30; each++) {
    const { data } = await instance.workspaces.create({ name: `w${each}`, slug: `w${each}` })
    const { key } = await instance.keys.create({ name: "filling", workspace_id: data.id })
    for (let seed = 0; seed < 2; seed++) expect((await ask({ seed }, on, key)).cache).toBe("MISS")
  }
  for (let seed = 0; seed < 5; seed++)
    expect((await ask({ seed }, on, "sk-stranger")).cache).toBe("HIT")
})

test("a stored answer is not served to a key that is restricted afterwards", async () => {
  const { ask, instance, manage } = await startCacheServer()
  const clearing = { ...on, "x-openrouter-cache-clear": "true" }
  const { data, key } = await instance.keys.create({ name: "restricted later" })
  await ask()
  expect((await ask({}, on, key)).cache).toBe("HIT")
  const guard = (fields: object) =>
    manage(`/guardrails/${guardrail}`, { ...nothing, ...fields }, "PATCH")
  const nothing = {
    allowed_models: null,
    allowed_providers: null,
    ignored_models: null,
    ignored_providers: null,
    enforce_zdr_other: null
  }
  const made = await manage("/guardrails", { name: "later" })
  const { id: guardrail } = (made.body as { readonly data: { readonly id: string } }).data
  await manage(`/guardrails/${guardrail}/assignments/keys`, { key_hashes: [data.hash] })
  for (const [fields, status] of [
    [{ allowed_providers: ["second"] }, 200],
    [{ ignored_providers: ["first"] }, 200],
    [{ allowed_models: ["proof/other"] }, 404],
    [{ ignored_models: ["proof/model"] }, 404],
    [{ enforce_zdr_other: true }, 200]
  ] as const) {
    expect((await guard(fields)).status).toBe(200)
    expect((await ask({}, clearing)).said).toContain("by the first")
    const refused = await ask({}, on, key)
    expect([fields, refused.status]).toEqual([fields, status])
    expect(refused.headers["x-openrouter-cache-source-id"]).toBeUndefined()
    // Those that the guardrail is not of have it still.
    expect((await ask()).cache).toBe("HIT")
  }
  expect((await guard({})).status).toBe(200)
  expect((await ask({}, on, key)).cache).toBe("HIT")
  await instance.keys.update({ hash: data.hash, disabled: true })
  expect((await ask({}, on, key)).status).toBe(401)
})

test("an answer that is too large is not stored", async () => {
  const { ask, first } = await startCacheServer({ settings: { maxCachedAnswerBytes: 1_000 } })
  first.always(reply.chat("x".repeat(2_000)))
  for (const stream of [false, true]) {
    expect((await ask({ stream })).cache).toBe("MISS")
    expect((await ask({ stream })).cache).toBe("MISS")
  }
})

test("headers of others are not taken for the cache's, and none of a request becomes one", async () => {
  const { ask, first } = await startCacheServer()
  first.always(
    reply.raw(
      JSON.stringify({
        id: "c",
        choices: [
          { index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1 }
      }),
      {
        headers: {
          "content-type": "application/json",
          "x-openrouter-cache-status": "HIT",
          "x-openrouter-cache-source-id": "gen-1-poison"
        }
      }
    )
  )
  const claims = {
    "x-openrouter-cache-status": "HIT",
    "x-openrouter-cache-age": "1",
    "x-openrouter-cache-source-id": "gen-1-poison"
  }
  for (const headers of [claims, { ...claims, "x-openrouter-cache": "true, true" }]) {
    const told = await ask({}, headers)
    expect(told.status).toBe(200)
    expect(Object.keys(told.headers).filter((name) => name.includes("cache"))).toEqual([])
  }
  const miss = await ask({}, { ...on, ...claims })
  expect(miss.cache).toBe("MISS")
  expect(Object.keys(miss.headers)).not.toContain("x-openrouter-cache-source-id")
  // What says where a request comes from makes it no other one.
  const hit = await ask({}, { ...on, ...claims, "x-forwarded-host": "evil.example", referer: "x" })
  expect(hit.cache).toBe("HIT")
  expect(hit.headers["x-openrouter-cache-source-id"]).toBe(miss.headers["x-generation-id"])
})

const toTool = (description: string): Fields => ({
  tools: [
    {
      type: "function",
      function: {
        name: "f",
        parameters: JSON.parse(
          `{"type":"object","properties":{"__proto__":{"type":"string","description":"${description}"}}}`
        )
      }
    }
  ]
})

test("keys such as __proto__ are part of what is asked", async () => {
  const { ask } = await startCacheServer()
  expect((await ask(toTool("one"))).cache).toBe("MISS")
  expect((await ask(toTool("other"))).cache).toBe("MISS")
  expect((await ask(toTool("one"))).cache).toBe("HIT")

  await using server = await TestServer.start({ responseCache: { enabled: true } })
  const decide = async (instructions: string, state: string) => {
    const answer = await server.ask(
      makeDecisionRequest({
        state: JSON.parse(`{"__proto__":${JSON.stringify(state)}}`),
        questions: JSON.parse(
          JSON.stringify({ name: { ...questions.urgent, instructions } }).replace(
            "name",
            "__proto__"
          )
        )
      })
    )
    expect(answer.status).toBe(200)
    return answer.headers["x-openrouter-cache-status"]
  }
  expect(await decide("Is it?", "a")).toBe("MISS")
  expect(await decide("Is it not?", "a")).toBe("MISS")
  expect(await decide("Is it?", "b")).toBe("MISS")
  expect(await decide("Is it?", "a")).toBe("HIT")
})
