/** What operators are told of a provider that fails: since when, where its requests went, and who got no answer. */
import { type ChatEvent, type Upstream, UpstreamFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { postgres } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, inject, onTestFinished, test } from "vitest"
import { waitUntil } from "../support/waitUntil.ts"

const price = { prompt: "0", completion: "0" }

const models = [
  {
    id: "acme/shared",
    endpoints: [
      { provider: "driftwood", price },
      { provider: "northwind", price }
    ]
  },
  { id: "acme/single", endpoints: [{ provider: "driftwood", price }] }
]

const makeUpstream = (slug: string, name: string, isDown: () => boolean): Upstream => ({
  slug,
  name,
  chat: {
    complete: () =>
      isDown()
        ? Effect.fail(new UpstreamFailure({ kind: "overloaded", status: 503, detail: "busy" }))
        : Effect.succeed({
            choices: [
              {
                index: 0,
                answer: { parts: [{ type: "text", text: "Hi." }], end: { reason: "stop" } }
              }
            ],
            usage: { inputTokens: 10, outputTokens: 2 }
          }),
    stream: () => Stream.fromIterable<ChatEvent>([]),
    estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
  }
})

/** Driftwood is down until `recover` is called. */
const start = async (stores?: ReturnType<typeof postgres>) => {
  let isDown = true
  const instance = await Signalbox.make({
    upstreams: [
      makeUpstream("driftwood", "Driftwood", () => isDown),
      makeUpstream("northwind", "Northwind", () => false)
    ],
    models,
    settings: { breakerProbeIntervalMillis: 50, breakerRampMillis: 50 },
    ...(stores === undefined ? undefined : { stores })
  })
  onTestFinished(() => instance.close())
  const ask = async (model: string, user: string, times = 1): Promise<number> => {
    let answered = 0
    for (let at = 0; at < times; at++) {
      const provider = { order: ["driftwood", "northwind"] }
      await instance
        .chat(
          { model, provider, messages: [{ role: "user", content: "Hello" }] },
          { caller: { kind: "member", user } }
        )
        .then(
          () => answered++,
          () => {}
        )
    }
    return answered
  }
  const list = async (input: Parameters<typeof instance.incidents.list>[0] = {}) =>
    (await instance.incidents.list(input)).data
  return {
    ask,
    instance,
    list,
    recover: () => {
      isDown = false
    }
  }
}

test("an incident says since when a provider fails, where its traffic went, and that nobody was affected", async () => {
  const { ask, list } = await start()
  const startedAt = Date.now()
  expect(await ask("acme/shared", "ada", 20)).toBe(20)
  await waitUntil(async () => (await list()).length > 0, "there is no incident")
  const [incident, ...others] = await list()
  expect(others).toEqual([])
  expect(incident).toMatchObject({
    provider: "driftwood",
    provider_name: "Driftwood",
    state: "open",
    ended_at: null,
    endpoints: [
      {
        endpoint_id: "acme/shared@driftwood",
        model: "acme/shared",
        cause: expect.stringMatching(/^10 of 10 failed/),
        ended_at: null
      }
    ],
    impact: {
      failed_requests: 0,
      affected_users: 0,
      moved_requests: 20,
      moved_to: [{ provider: "Northwind", requests: 20 }],
      is_complete: true
    }
  })
  expect(Date.parse(incident!.started_at)).toBeGreaterThanOrEqual(startedAt)
  for (const input of [
    { state: "open", provider: "driftwood" },
    { endpoint: "acme/shared@driftwood" },
    { from: incident!.started_at }
  ] as const) {
    expect(await list(input)).toHaveLength(1)
  }
  for (const input of [
    { state: "ended" },
    { provider: "northwind" },
    { endpoint: "acme/single@driftwood" },
    { to: incident!.started_at }
  ] as const) {
    expect(await list(input)).toEqual([])
  }
})

test("an incident counts the users who got no answer, once each", async () => {
  const { ask, list } = await start()
  expect(await ask("acme/single", "ada", 11)).toBe(0)
  await waitUntil(async () => (await list()).length > 0, "there is no incident")
  expect((await list())[0]?.impact).toMatchObject({ failed_requests: 11, affected_users: 1 })
  // The count goes on where it stopped.
  await ask("acme/single", "grace")
  await waitUntil(
    async () => (await list())[0]?.impact?.affected_users === 2,
    "the second user is not counted"
  )
  expect((await list())[0]?.impact).toMatchObject({ failed_requests: 12, moved_requests: 0 })
})

test("processes on one Postgres join in one incident, which ends when the last of them sees none", async () => {
  const stores = () => postgres({ url: inject("postgresUrl"), schema })
  const schema = `incidents-${crypto.randomUUID()}`
  const first = await start(stores())
  const second = await start(stores())
  await Promise.all([first.ask("acme/shared", "ada", 12), second.ask("acme/shared", "ada", 12)])
  const countProcesses = async () =>
    (await first.list()).map(({ endpoints }) => endpoints[0]?.processes.length)
  await waitUntil(
    async () => (await countProcesses()).join() === "2",
    "the processes do not join in one incident"
  )
  for (const process of [first, second]) process.recover()
  const isOver = async () => {
    await first.ask("acme/shared", "ada")
    await second.ask("acme/shared", "ada")
    const [incident] = await second.list({ state: "ended" })
    return incident?.ended_at != null
  }
  await waitUntil(isOver, "the incident does not end")
  expect(await first.list({ state: "open" })).toEqual([])
  expect(await first.list()).toHaveLength(1)
})
