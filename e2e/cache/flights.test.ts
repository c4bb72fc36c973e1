/** Requests that are the same at once share a call, and what happens to the others when it comes to nothing. */
import { fault, pace, reply, type Step } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { findCredits } from "../support/findCredits.ts"
import { send } from "../support/send.ts"
import {
  keys,
  makeDecisionRequest,
  questions,
  slugs,
  TestServer,
  type TestServerOptions
} from "../support/TestServer.ts"
import { RecordingCache } from "./RecordingCache.ts"

const messages = [{ role: "user", content: "Is it calm?" }]
const common = { model: "proof/model", provider: { order: slugs } }
const calm = reply.chat(["It ", "is ", "calm."], { usage: { inputTokens: 10, outputTokens: 3 } })
const decided = reply.decision({}, { usage: { inputTokens: 10, outputTokens: 3 } })

const toChat = (path: string, body: object) =>
  [false, true].map((stream) => ({
    name: `${path}, ${stream ? "streamed" : "whole"}`,
    path,
    body: { ...common, ...body, stream },
    answer: calm,
    says: "calm"
  }))

const requests: ReadonlyArray<{
  readonly name: string
  readonly path: string
  readonly body: object
  readonly answer: Step
  readonly says: string
}> = [
  ...toChat("/api/v1/chat/completions", { messages }),
  ...toChat("/api/v1/messages", { messages, max_tokens: 100 }),
  ...toChat("/api/v1/responses", { input: "Is it calm?" }),
  {
    name: "Decisions",
    path: "/api/alpha/decisions",
    // A provider gets a call for each question.
    body: makeDecisionRequest({ questions: { urgent: questions.urgent } }),
    answer: decided,
    says: "urgent"
  }
]

const start = async (path: string, body: object, settings: TestServerOptions["settings"] = {}) => {
  const cache = new RecordingCache()
  const server = await TestServer.start({
    method: decisionMethods[1]!,
    price: { prompt: "0.000001", completion: "0.000002" },
    credits: { default: "1000" },
    settings,
    responseCache: { enabled: true, store: cache.store }
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const ask = async (signal?: AbortSignal) => {
    const answer = await send(server.root + path, {
      headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal === undefined ? undefined : { signal })
    })
    return { ...answer, cache: answer.headers["x-openrouter-cache-status"] }
  }
  return { ask, cache, server, ...server.upstreams }
}

type Started = Awaited<ReturnType<typeof start>>

const countCache = (answers: ReadonlyArray<{ readonly cache: string | undefined }>) => ({
  hits: answers.filter(({ cache }) => cache === "HIT").length,
  misses: answers.filter(({ cache }) => cache === "MISS").length
})

/** Once nothing is reserved, what was spent is what the records say, of which hits cost nothing. */
const expectExactMoney = async ({ server: { instance } }: Started, requestCount: number) => {
  await expect.poll(() => findCredits(instance)).toMatchObject({ reserved: 0n })
  const { settled = 0n } = await findCredits(instance)
  await expect
    .poll(async () => (await instance.generations.list({ limit: 100 })).data.length)
    .toBe(requestCount)
  const { data } = await instance.generations.list({ limit: 100 })
  const spent = data.reduce((sum, { cost }) => sum + Math.round((cost ?? 0) * 1e9), 0)
  expect(settled).toBe(BigInt(spent))
  const hits = data.filter(({ cache }) => cache?.status === "hit")
  for (const { cache, cost } of hits) {
    const source = data.find(({ id }) => id === cache?.source_id)
    expect(cost).toBe(0)
    expect(cache?.saved).toBe(source?.cost)
    expect(source?.cost).toBeGreaterThan(0)
  }
  return hits.length
}

describe.each(requests)("$name", ({ answer, body, path, says }) => {
  test("of three that wait for one whose client leaves, one makes the next call", async () => {
    const started = await start(path, body)
    const { ask, cache, first, server } = started
    const held = first.gate()
    const next = first.gate()
    first.script(
      pace.hold(held, "response_headers", answer),
      pace.hold(next, "response_headers", answer)
    )
    const leaving = new AbortController()
    const left = ask(leaving.signal).catch(() => "left")
    await first.waitForRequests(1)
    const waiting = [ask(), ask(), ask()]
    await cache.waitForLookups(4)
    expect(first.requests).toHaveLength(1)
    leaving.abort()
    expect(await left).toBe("left")
    await first.waitForAborts(1)
    await first.waitForRequests(2)
    next.open()
    const answers = await Promise.all(waiting)
    for (const { status, text } of answers)
      expect([status, text]).toEqual([200, expect.stringContaining(says)])
    expect(countCache(answers)).toEqual({ hits: 2, misses: 1 })
    expect(server.calls).toEqual({ first: 2, second: 0 })
    expect(await expectExactMoney(started, 4)).toBe(2)
    expect((await ask()).cache).toBe("HIT")
  })

  test("of three that wait for one that fails, one makes the next call", async () => {
    const started = await start(path, body)
    const { ask, cache, first, second, server } = started
    const gate = first.gate()
    first.script(pace.hold(gate, "request_body", fault.status(503)), answer)
    second.script(fault.status(503))
    const failed = ask()
    await first.waitForRequests(1)
    const waiting = [ask(), ask(), ask()]
    await cache.waitForLookups(4)
    gate.open()
    expect((await failed).status).toBe(503)
    const answers = await Promise.all(waiting)
    for (const { status, text } of answers)
      expect([status, text]).toEqual([200, expect.stringContaining(says)])
    expect(countCache(answers)).toEqual({ hits: 2, misses: 1 })
    expect(server.calls).toEqual({ first: 2, second: 1 })
    expect(await expectExactMoney(started, 4)).toBe(2)
  })
})

test("an answer that must not be stored is nobody else's: the others make calls of their own", async () => {
  const [chat] = requests
  const started = await start(chat!.path, chat!.body)
  const { ask, cache, first, server } = started
  const gate = first.gate()
  const cut = reply.chat("cut", { finishReason: "content_filter" })
  first.always(cut)
  first.script(pace.hold(gate, "request_body", cut))
  const leading = ask()
  await first.waitForRequests(1)
  const waiting = Array.from({ length: 5 }, () => ask())
  await cache.waitForLookups(6)
  gate.open()
  const answers = await Promise.all([leading, ...waiting])
  for (const { status } of answers) expect(status).toBe(200)
  expect(countCache(answers)).toEqual({ hits: 0, misses: 6 })
  expect(server.calls).toEqual({ first: 6, second: 0 })
  expect(await expectExactMoney(started, 6)).toBe(0)
  expect(cache.answers.size).toBe(0)
})

test("one that waits and whose client leaves takes nothing from the others", async () => {
  const [chat] = requests
  const { ask, cache, first, server } = await start(chat!.path, chat!.body)
  const gate = first.gate()
  first.script(pace.hold(gate, "response_headers", calm))
  const leading = ask()
  await first.waitForRequests(1)
  const leaving = new AbortController()
  const left = ask(leaving.signal).catch(() => "left")
  const waiting = ask()
  await cache.waitForLookups(3)
  leaving.abort()
  expect(await left).toBe("left")
  gate.open()
  expect(countCache(await Promise.all([leading, waiting]))).toEqual({ hits: 1, misses: 1 })
  expect(server.calls).toEqual({ first: 1, second: 0 })
})

test("one waits for as long as the setting says, then it makes a call of its own", async () => {
  const [chat] = requests
  const { ask, cache, first, server } = await start(chat!.path, chat!.body, {
    responseCacheWaitMillis: 1
  })
  const gate = first.gate()
  first.script(pace.hold(gate, "response_headers", calm), calm)
  const leading = ask()
  await first.waitForRequests(1)
  const waiting = ask()
  await cache.waitForLookups(2)
  expect(countCache([await waiting])).toEqual({ hits: 0, misses: 1 })
  gate.open()
  expect(countCache([await leading])).toEqual({ hits: 0, misses: 1 })
  expect(server.calls).toEqual({ first: 2, second: 0 })
})

test("of two that wait for a stream whose client leaves in its middle, one makes the next call", async () => {
  const [, chat] = requests
  const started = await start(chat!.path, chat!.body)
  const { ask, cache, first, server } = started
  first.script(reply.chat(["It ", first.gate(), "never"]), calm)
  const leaving = new AbortController()
  const { body } = await fetch(server.root + chat!.path, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" },
    body: JSON.stringify(chat!.body),
    signal: leaving.signal
  })
  const reader = body!.getReader()
  await reader.read()
  const waiting = [ask(), ask()]
  await cache.waitForLookups(3)
  leaving.abort()
  const answers = await Promise.all(waiting)
  expect(countCache(answers)).toEqual({ hits: 1, misses: 1 })
  for (const { text } of answers) expect(text).toContain("calm")
  expect(server.calls).toEqual({ first: 2, second: 0 })
  // The one that left has paid for what it got.
  expect(await expectExactMoney(started, 3)).toBe(1)
  const { data } = await server.instance.generations.list({ limit: 10 })
  expect(data.filter(({ cost }) => cost !== null && cost > 0)).toHaveLength(2)
})
