/** What operators are told before they take a provider out: which models lose all endpoints, and what the others would cost. */
import { type ChatEvent, type Upstream, UpstreamFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, onTestFinished, test } from "vitest"

const makeUpstream = (slug: string, name: string): Upstream => ({
  slug,
  name,
  chat: {
    complete: ({ model }) =>
      model.includes("broken")
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

const cheap = { prompt: "0.000001", completion: "0.000001" }
const dear = { prompt: "0.000002", completion: "0.000002" }

const start = async () => {
  const instance = await Signalbox.make({
    upstreams: [makeUpstream("driftwood", "Driftwood"), makeUpstream("northwind", "Northwind")],
    models: [
      {
        id: "acme/shared",
        endpoints: [
          { provider: "driftwood", price: cheap },
          { provider: "northwind", price: dear }
        ]
      },
      { id: "acme/single", endpoints: [{ provider: "driftwood", price: cheap }] },
      { id: "acme/idle", endpoints: [{ provider: "driftwood", price: cheap }] },
      { id: "acme/other", endpoints: [{ provider: "northwind", price: dear }] }
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
  const preview = async (input: Parameters<typeof instance.traffic.previewControl>[0]) =>
    (await instance.traffic.previewControl(input)).data
  return { ask, instance, preview }
}

test("a provider that goes down would take two models along, and double the cost of the others", async () => {
  const { ask, instance, preview } = await start()
  await ask("acme/shared", 10)
  await ask("acme/single", 4)
  const found = await preview({ kind: "provider", id: "driftwood", state: "disabled" })
  expect(found).toMatchObject({
    requests: 14,
    is_sample: false,
    lost_models: [
      { model: "acme/single", requests: 4 },
      { model: "acme/idle", requests: 0 }
    ],
    lost_model_count: 2,
    lost_requests: 4,
    before: { failures: 0 },
    after: { failures: 0, cost: 0.004 },
    unrecorded_endpoints: ["acme/shared@northwind"]
  })
  expect(found.cost_change).toBeGreaterThan(0)
  expect(found.after!.cost! / found.before!.cost! - 1).toBeCloseTo(found.cost_change!)
  expect(found.providers[0]).toMatchObject({ provider: "Northwind", share_after: 1 })
  // Nothing was changed.
  expect((await instance.traffic.listControls()).data).toEqual([])
})

test("a preview counts the requests of its own millisecond", async () => {
  const { ask, preview } = await start()
  const counts: Array<number> = []
  for (let at = 0; at < 20; at++) {
    await ask("acme/shared", 1)
    const input = { kind: "provider", id: "northwind", state: "drained" } as const
    counts.push((await preview(input)).requests)
  }
  expect(counts).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
})

test("a preview considers the controls that stand, and the weight", async () => {
  const { ask, instance, preview } = await start()
  await ask("acme/shared", 10)
  const shared = { kind: "endpoint", id: "acme/shared@driftwood" } as const
  const weighed = await preview({ ...shared, weight: 0 })
  expect(weighed.providers).toMatchObject([{ provider: "Northwind", share_after: 1 }, {}])
  await instance.traffic.setControl({ kind: "provider", id: "northwind", state: "drained" })
  const drained = await preview({ ...shared, state: "drained" })
  expect(drained).toMatchObject({
    lost_models: [{ model: "acme/shared", requests: 10 }],
    before: null,
    after: null,
    cost_change: null
  })
  // What puts it back is previewed as well.
  const back = await preview({ kind: "provider", id: "northwind" })
  expect(back).toMatchObject({ lost_model_count: 0, before: { failures: 0 } })
})

test("a preview of what the catalog does not have is refused", async () => {
  const { preview } = await start()
  await expect(preview({ kind: "provider", id: "__proto__" })).rejects.toThrow(
    /id.*names no provider of the catalog/
  )
  const empty = await preview({ kind: "provider", id: "northwind", state: "drained" })
  expect(empty).toMatchObject({
    requests: 0,
    lost_models: [{ model: "acme/other", requests: 0 }],
    before: null
  })
})
