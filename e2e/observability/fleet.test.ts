/** The processes on one Postgres, as each of them lists them. */
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { postgres } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, inject, onTestFinished, test } from "vitest"
import { waitUntil } from "../support/waitUntil.ts"
import { runOnPostgres } from "../storage/startStorageInstance.ts"

const url = inject("postgresUrl")

const models = [
  { id: "acme/model", endpoints: [{ provider: "one", price: { prompt: "0", completion: "0" } }] }
]

/** Answers when `answer` is called. */
const makeUpstream = () => {
  const answered = Promise.withResolvers<void>()
  const answer = { parts: [{ type: "text", text: "calm" }], end: { reason: "stop" } } as const
  const upstream: Upstream = {
    slug: "one",
    name: "One",
    chat: {
      complete: () =>
        Effect.as(
          Effect.promise(() => answered.promise),
          { choices: [{ index: 0, answer }], usage: { inputTokens: 1, outputTokens: 1 } }
        ),
      stream: () => Stream.empty,
      estimateWorstCase: () => ({ inputTokens: 100, outputTokens: 10 })
    }
  }
  return { upstream, answer: () => answered.resolve() }
}

const start = async (schema: string) => {
  const { answer, upstream } = makeUpstream()
  const instance = await Signalbox.make({
    stores: postgres({ url, schema }),
    upstreams: [upstream],
    models
  })
  onTestFinished(() => instance.close())
  const list = async () => (await instance.live.listProcesses()).data.processes
  return { answer, instance, list }
}

test("each process lists all of them, with what they do and what they serve", async () => {
  const schema = `fleet-${crypto.randomUUID()}`
  const first = await start(schema)
  const second = await start(schema)
  const asking = second.instance.chat({
    model: "acme/model",
    messages: [{ role: "user", content: "Is it calm?" }]
  })
  const { process: id } = await second.instance.health()
  const isSeen = async () => {
    const processes = await first.list()
    return processes.some((each) => each.id === id && each.endpoints.length > 0)
  }
  await waitUntil(isSeen, "the other process did not report its attempt")
  const [own, other] = await first.list()
  expect(own).toMatchObject({ is_self: true, is_lost: false, status: "ready", endpoints: [] })
  expect(other).toMatchObject({
    id,
    is_self: false,
    is_lost: false,
    configuration: { fingerprint: own!.configuration.fingerprint, models: 1 },
    endpoints: [
      { endpoint_id: "acme/model@one", in_flight: 1, breaker: { state: "closed", cause: null } }
    ]
  })
  const { data } = await first.instance.live.listEndpoints()
  expect(data.endpoints[0]?.other_processes).toMatchObject([{ process_id: id, in_flight: 1 }])
  expect(await second.instance.metrics()).toContain(`signalbox_process_info{process="${id}"`)

  await first.instance.replace({ models: [...models, { ...models[0]!, id: "acme/other" }] })
  expect((await first.list())[0]?.configuration).toMatchObject({ models: 2 })
  expect((await first.list())[0]?.configuration.fingerprint).not.toBe(
    own!.configuration.fingerprint
  )
  second.answer()
  await asking
  await second.instance.close()
  expect(await first.list()).toHaveLength(1)
})

test("a process tells how long its event loop was held up", async () => {
  const schema = `fleet-${crypto.randomUUID()}`
  const { list } = await start(schema)
  const getDelay = async () => (await list())[0]?.event_loop_delay
  expect(await getDelay()).toBeTypeOf("number")
  await waitUntil(async () => {
    // Holds the event loop up.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
    return Number(await getDelay()) >= 400
  }, "the delay was not measured")
})

test("a process that has not reported for 15 s is lost, and for an hour it is listed", async () => {
  const schema = `fleet-${crypto.randomUUID()}`
  const { instance, list } = await start(schema)
  const { process: id } = await instance.health()
  const countRows = async () =>
    (await runOnPostgres(url, schema, "SELECT id FROM processes")).length
  await waitUntil(async () => (await countRows()) > 0, "the process did not report itself")
  for (const [name, age] of [
    ["dead", "16 seconds"],
    ["forgotten", "61 minutes"]
  ] as const) {
    await runOnPostgres(
      url,
      schema,
      `INSERT INTO processes SELECT '${name}', replace(document, '${id}', '${name}'), now() - interval '${age}' FROM processes WHERE id = '${id}'`
    )
  }
  await waitUntil(async () => (await countRows()) === 2, "the row of an hour ago was not deleted")
  expect((await list()).map((each) => [each.id, each.is_lost])).toEqual([
    [id, false],
    ["dead", true]
  ])
})

test("an instance with stores in memory lists itself", async () => {
  const instance = await Signalbox.make({ upstreams: [makeUpstream().upstream], models })
  onTestFinished(() => instance.close())
  const { data } = await instance.live.listProcesses()
  expect(data.processes).toMatchObject([{ is_self: true, configuration: { models: 1 } }])
})
