/** Embeddings, reranks and Decisions in the cache: what is part of the key, what is never stored, and what is not served. */
import { reply } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import {
  embeddingRequest,
  rerankRequest,
  startEmbeddingServer
} from "../embeddings/startEmbeddingServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"
import { send } from "../support/send.ts"
import { keys, makeDecisionRequest, questions, TestServer } from "../support/TestServer.ts"
import { RecordingCache } from "./RecordingCache.ts"
import { askingForCache, type Fields } from "./startCacheServer.ts"

type Settings = NonNullable<Parameters<typeof startEmbeddingServer>[0]>["settings"]

const usage = { inputTokens: 9, outputTokens: 0 }
const price = { prompt: "0.000001", completion: "0" }

const startVectors =
  (step: Parameters<typeof reply.ranking>[0] | undefined) =>
  async (cache: RecordingCache, settings: Settings = {}) => {
    const { always, first, instance, root, second } = await startEmbeddingServer({
      settings,
      responseCache: { store: cache.store }
    })
    always(step === undefined ? reply.embeddings({ usage }) : reply.ranking(step, { usage }))
    return { instance, root, countCalls: () => first.requests.length + second.requests.length }
  }

const startDecisions = async (cache: RecordingCache, settings: Settings = {}) => {
  const server = await TestServer.start({
    method: decisionMethods[1]!,
    price,
    settings,
    responseCache: { store: cache.store }
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  for (const each of Object.values(server.upstreams)) each.always(reply.decision({}, { usage }))
  const { instance, root } = server
  return { instance, root, countCalls: () => server.calls.first + server.calls.second }
}

const operations = [
  {
    name: "embeddings",
    path: "/api/v1/embeddings",
    body: embeddingRequest,
    others: [{ input: ["Is the sea"] }, { dimensions: 4 }, { encoding_format: "base64" }],
    start: startVectors(undefined)
  },
  {
    name: "reranks",
    path: "/api/v1/rerank",
    body: rerankRequest,
    others: [{ query: "Is it?" }, { documents: ["one", "two", "three"] }, { top_n: 1 }],
    start: startVectors([0.25, 0.5, 0.75])
  },
  {
    name: "Decisions",
    path: "/api/alpha/decisions",
    body: makeDecisionRequest({ questions: { urgent: questions.urgent } }),
    others: [
      { state: "I was not" },
      { questions: { urgent: { ...questions.urgent, instructions: "Is it?" } } },
      { questions: { __proto__x: questions.urgent } }
    ],
    start: startDecisions
  }
]

describe.each(operations)("$name", ({ body, others, path, start }) => {
  const begin = async (settings?: Settings) => {
    const cache = new RecordingCache()
    const started = await start(cache, settings)
    const ask = async (fields: Fields = {}) => {
      const answer = await send(started.root + path, {
        headers: {
          authorization: `Bearer ${keys.member}`,
          "content-type": "application/json",
          ...askingForCache
        },
        body: JSON.stringify({ ...body, ...fields })
      })
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
      return { ...answer, cache: answer.headers["x-openrouter-cache-status"] }
    }
    return { ...started, ask, cache }
  }

  test("hit whoever asks, and miss when a provider would get something else", async () => {
    const { ask, countCalls, instance } = await begin()
    const miss = await ask({ user: "ada", session_id: "s-1", trace: { trace_id: "t-1" } })
    const calls = countCalls()
    const hit = await ask({ trace: { trace_id: "t-2" }, session_id: "s-2", user: "bob" })
    expect([miss.cache, hit.cache]).toEqual(["MISS", "HIT"])
    expect(countCalls()).toBe(calls)
    for (const fields of others) expect((await ask(fields)).cache).toBe("MISS")
    for (const fields of others) expect((await ask(fields)).cache).toBe("HIT")
    await expect
      .poll(async () => (await instance.generations.list({ limit: 100 })).data.length)
      .toBe(2 + 2 * others.length)
    const { data } = await instance.generations.list({ limit: 100 })
    const source = data.find(
      ({ cache, session_id }) => cache?.status === "miss" && session_id === "s-1"
    )
    const served = data.find(({ session_id }) => session_id === "s-2")
    expect(source?.cost).toBeGreaterThan(0)
    expect(served).toMatchObject({
      cost: 0,
      cache: { status: "hit", source_id: source?.id, saved: source?.cost }
    })
  })

  test("that are the same at once are paid for once", async () => {
    const { ask, countCalls, instance } = await begin()
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(countCalls()).toBe(1)
    expect(answers.filter(({ cache }) => cache === "MISS")).toHaveLength(1)
    await expect
      .poll(async () => (await instance.generations.list({ limit: 100 })).data.length)
      .toBe(20)
    const { data } = await instance.generations.list({ limit: 100 })
    expect(data.filter(({ cost }) => (cost ?? 0) > 0)).toHaveLength(1)
  })

  test("are neither stored nor served where a guardrail forbids to store them", async () => {
    const { ask, cache, instance } = await begin()
    await ask()
    expect(cache.answers.size).toBe(1)
    const id = "ffffffff-0000-4000-8000-000000000000"
    await instance.guardrails.update({ id, enforce_no_store: true })
    expect((await ask()).cache).toBeUndefined()
    expect((await ask({ user: "ada" })).cache).toBeUndefined()
    expect(cache.answers.size).toBe(1)
    await instance.guardrails.update({ id, enforce_no_store: false })
    expect((await ask()).cache).toBe("HIT")
  })

  test("do not serve what somebody put into the store, and go on", async () => {
    const { ask, cache } = await begin()
    await ask()
    const [answer] = cache.answers.values()
    const { text } = answer!
    const halves = [
      text.slice(0, text.length / 2),
      text.slice(0, -1),
      text.replaceAll(/"[a-z]/g, '"x')
    ]
    for (const poison of ["", "null", "{}", "[]", '{"__proto__":1}', ...halves]) {
      cache.answers.set(answer!.key, { ...answer!, text: poison })
      expect([poison, (await ask()).cache]).toEqual([poison, "MISS"])
    }
    expect((await ask()).cache).toBe("HIT")
  })

  test("are not stored when they are too large", async () => {
    const { ask, cache } = await begin({ maxCachedAnswerBytes: 10 })
    expect([(await ask()).cache, (await ask()).cache]).toEqual(["MISS", "MISS"])
    expect(cache.answers.size).toBe(0)
  })
})
