/** Providers and models as operators list them: price, failures, controls, share of the traffic, and health by hour. */
import { type ChatEvent, type Upstream, UpstreamFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, onTestFinished, test } from "vitest"

const makeUpstream = (slug: string, name: string, isDown: boolean): Upstream => ({
  slug,
  name,
  chat: {
    complete: () =>
      isDown
        ? Effect.fail(new UpstreamFailure({ kind: "overloaded", status: 503, detail: "busy" }))
        : Effect.succeed({
            choices: [
              {
                index: 0,
                answer: { parts: [{ type: "text", text: "Hi." }], end: { reason: "stop" } }
              }
            ],
            usage: { inputTokens: 100, outputTokens: 100 }
          }),
    stream: () => Stream.fromIterable<ChatEvent>([]),
    estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 100 })
  }
})

const start = async () => {
  const instance = await Signalbox.make({
    upstreams: [
      makeUpstream("driftwood", "Driftwood", true),
      makeUpstream("northwind", "Northwind", false),
      makeUpstream("__proto__", "Idle", false)
    ],
    models: [
      {
        id: "acme/shared",
        name: "Shared",
        endpoints: [
          {
            provider: "driftwood",
            price: { prompt: "0.000001", completion: "0.000002" },
            contextLength: 8_000
          },
          { provider: "northwind", price: { prompt: "0.000003", completion: "0.000004" } }
        ]
      },
      {
        id: "acme/other",
        endpoints: [{ provider: "northwind", price: { prompt: "0", completion: "0" } }]
      }
    ]
  })
  onTestFinished(() => instance.close())
  const ask = async (model: string, times: number) => {
    for (let at = 0; at < times; at++) {
      await instance.chat({
        model,
        messages: [{ role: "user", content: "Hello" }],
        provider: { order: ["driftwood", "northwind"] }
      })
    }
  }
  await ask("acme/shared", 12)
  await ask("acme/other", 4)
  return instance
}

test("lists providers, those that fail first, with their part of the attempts", async () => {
  const instance = await start()
  await instance.traffic.setControl({ kind: "provider", id: "northwind", weight: 0.5 })
  const { data, total_count: total } = await instance.live.listProviders({})
  expect(total).toBe(3)
  expect(data.map(({ provider }) => provider)).toEqual(["driftwood", "northwind", "__proto__"])
  const [driftwood, northwind, idle] = data
  expect(driftwood).toMatchObject({
    name: "Driftwood",
    models: 1,
    endpoints: 1,
    endpoints_failing: 1,
    cause: expect.stringMatching(/^10 of 10 failed/),
    control: { state: "active", weight: 1 },
    hours: [{ requests: 10, errors: 10 }]
  })
  expect(Date.parse(driftwood!.failing_since!)).toBeLessThanOrEqual(Date.now())
  expect(northwind).toMatchObject({
    models: 2,
    failing_since: null,
    control: { weight: 0.5 },
    figures: { requests: 16, errors: 0 }
  })
  expect(northwind!.share).toBeCloseTo(16 / 26)
  expect(northwind!.latency_p95).toBeGreaterThanOrEqual(0)
  expect(idle).toMatchObject({ endpoints: 0, share: 0, hours: [], latency_p95: null })
})

test("searches, filters, sorts and pages on the server", async () => {
  const instance = await start()
  const listProviders = async (
    query: Parameters<typeof instance.live.listProviders>[0]
  ): Promise<ReadonlyArray<string>> =>
    (await instance.live.listProviders(query)).data.map(({ provider }) => provider)
  expect(await listProviders({ q: "WIND north" })).toEqual(["northwind"])
  expect(await listProviders({ state: "failing" })).toEqual(["driftwood"])
  expect(await listProviders({ state: "healthy", sort: "name" })).toEqual([
    "__proto__",
    "northwind"
  ])
  expect(await listProviders({ sort: "requests", limit: 1, offset: 1 })).toEqual(["driftwood"])
  expect(await listProviders({ provider: "__proto__" })).toEqual(["__proto__"])
  expect(await listProviders({ sort: "failures", limit: 1 })).toEqual(["driftwood"])
})

test("lists models with their prices, and those of a provider", async () => {
  const instance = await start()
  const { data } = await instance.live.listModels({ sort: "requests" })
  expect(data).toMatchObject([
    {
      model: "acme/shared",
      name: "Shared",
      context_length: 8_000,
      price: {
        prompt: { min: "0.000001", max: "0.000003" },
        completion: { min: "0.000002", max: "0.000004" }
      },
      providers: ["driftwood", "northwind"],
      endpoints: 2,
      endpoints_in_service: 2,
      endpoints_failing: 1,
      share: 0.75,
      figures: { requests: 12, errors: 0 }
    },
    { model: "acme/other", share: 0.25, failing_since: null }
  ])
  await instance.traffic.setControl({ kind: "provider", id: "driftwood", state: "drained" })
  const drained = await instance.live.listModels({ provider: "driftwood" })
  expect(drained).toMatchObject({ total_count: 1, data: [{ endpoints_in_service: 1 }] })
})
