/** Endpoints with `maxParallelRequests`, and the queue in front of them, over HTTP. */
import type { Options } from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { defaultAccountId, GenerationId, GenerationStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, onTestFinished, test } from "vitest"
import { waitUntil } from "../support/waitUntil.ts"

const usage = { inputTokens: 1, outputTokens: 1 }

/** Each call is answered when `finish` is called. */
const makeUpstream = (slug: string) => {
  const calls: Array<() => void> = []
  const answer = { parts: [{ type: "text", text: slug }], end: { reason: "stop" } } as const
  const upstream: Upstream = {
    slug,
    name: slug,
    chat: {
      complete: () =>
        Effect.callback((resume) => {
          calls.push(() => resume(Effect.succeed({ choices: [{ index: 0, answer }], usage })))
        }),
      stream: () => Stream.empty,
      estimateWorstCase: () => usage
    }
  }
  return { upstream, countCalls: () => calls.length, finish: () => calls.shift()?.() }
}

const start = async (
  limits: Readonly<Record<string, number | undefined>>,
  options: Partial<Options> = {}
) => {
  const upstreams = Object.keys(limits).map(makeUpstream)
  const instance = await Signalbox.make({
    upstreams: upstreams.map(({ upstream }) => upstream),
    models: [
      {
        id: "a/b",
        endpoints: Object.entries(limits).map(([provider, maxParallelRequests]) => ({
          provider,
          price: { prompt: "0", completion: "0" },
          ...(maxParallelRequests === undefined ? undefined : { maxParallelRequests })
        }))
      }
    ],
    keys: [
      { key: "sk-ada", kind: "member", user: "ada" },
      { key: "sk-manager", kind: "management" }
    ],
    ...options
  })
  onTestFinished(async () => {
    for (const { countCalls, finish } of upstreams) while (countCalls() > 0) finish()
    await instance.close()
  })
  const send = (body: object = {}, signal?: AbortSignal) =>
    instance.fetch(
      new Request("http://localhost/api/v1/chat/completions", {
        method: "POST",
        headers: { authorization: "Bearer sk-ada", "content-type": "application/json" },
        body: JSON.stringify({
          model: "a/b",
          messages: [{ role: "user", content: "?" }],
          provider: { order: Object.keys(limits) },
          ...body
        }),
        ...(signal === undefined ? undefined : { signal })
      })
    )
  const countWaiting = async () => {
    const { data } = await instance.live.listProcesses()
    return data.processes[0]!.queues.find(({ name }) => name === "requests")?.waiting
  }
  return { countWaiting, instance, send, upstreams }
}

test("a full endpoint is passed over for one with room, and the record says why", async () => {
  const { instance, send, upstreams } = await start({ small: 1, large: undefined })
  const [small, large] = upstreams
  const first = send()
  await waitUntil(async () => small!.countCalls() === 1, "the first request did not arrive")
  const second = send()
  await waitUntil(async () => large!.countCalls() === 1, "the second request did not arrive")
  small!.finish()
  large!.finish()
  expect(await (await first).json()).toMatchObject({ provider: "small" })
  const answer = await (await second).json()
  expect(answer).toMatchObject({ provider: "large" })
  const record = await Effect.runPromise(
    Context.get(instance.context, GenerationStore).find(
      defaultAccountId,
      GenerationId.make(String(Object(answer).id))
    )
  )
  expect(record?.rejected).toMatchObject([
    {
      endpoint: "a/b@small",
      rule: "parallel_requests",
      source: "endpoint",
      wanted: "fewer than 1 requests in parallel"
    }
  ])
})

test("the record of a request that waited says how long, also when it waited too long", async () => {
  const { instance, send, upstreams } = await start(
    { small: 1 },
    { requestQueue: { maxWaitMillis: 50 } }
  )
  const [small] = upstreams
  const first = send({ user: "first" })
  await waitUntil(async () => small!.countCalls() === 1, "the first request did not arrive")
  expect((await send({ user: "late" })).status).toBe(503)
  small!.finish()
  await first
  const records = async () => {
    const { data } = await instance.generations.list({})
    return new Map(data.map((record) => [record.external_user, record]))
  }
  await waitUntil(async () => (await records()).size === 2, "a record is missing")
  const found = await records()
  expect(found.get("first")).toMatchObject({ outcome: "answered", queue_wait: 0 })
  const late = found.get("late")!
  expect(late.outcome).toBe("EndpointBusy")
  expect(late.queue_wait).toBeGreaterThanOrEqual(50)
  expect(late.queue_wait).toBeLessThanOrEqual(late.latency)
})

test("without a queue, a request that finds no room gets 503 with Retry-After", async () => {
  const { send, upstreams } = await start({ small: 1 })
  const first = send()
  await waitUntil(async () => upstreams[0]!.countCalls() === 1, "the first request did not arrive")
  const second = await send()
  expect(second.status).toBe(503)
  expect(second.headers.get("retry-after")).toBe("1")
  expect(await second.json()).toMatchObject({
    error: { code: 503, message: /runs as many requests as it may\. Try again/ }
  })
  upstreams[0]!.finish()
  expect((await first).status).toBe(200)
  const third = send()
  await waitUntil(async () => upstreams[0]!.countCalls() === 1, "the endpoint stayed full")
  upstreams[0]!.finish()
  expect((await third).status).toBe(200)
})

test("with a queue, it waits; a caller that leaves does not, and the report counts those that do", async () => {
  const { countWaiting, send, upstreams } = await start({ small: 1 }, { requestQueue: {} })
  const [small] = upstreams
  const first = send()
  await waitUntil(async () => small!.countCalls() === 1, "the first request did not arrive")
  const leaving = new AbortController()
  const left = send({}, leaving.signal).catch(() => "left")
  await waitUntil(async () => (await countWaiting()) === 1, "the second request did not wait")
  const third = send({ service_tier: "flex" })
  const fourth = send()
  await waitUntil(async () => (await countWaiting()) === 3, "the others did not wait")
  leaving.abort()
  await waitUntil(async () => (await countWaiting()) === 2, "the caller that left still waits")
  small!.finish()
  expect((await first).status).toBe(200)
  await waitUntil(async () => (await countWaiting()) === 1, "no request was served")
  const next = await Promise.race([
    (async () => {
      small!.finish()
      await fourth
      return "fourth"
    })(),
    third.then(() => "third")
  ])
  expect(next).toBe("fourth")
  await waitUntil(async () => small!.countCalls() === 1, "the last request was not served")
  small!.finish()
  expect((await third).status).toBe(200)
  await left
})
