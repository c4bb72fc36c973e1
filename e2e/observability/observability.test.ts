/** What reaches the broadcast, the log of inputs and outputs, and the log. */
import { type IoEntry, toKeyNumber, type GenerationEvent } from "@signalbox/core"
import { KeyHash } from "@signalbox/core/stores"
import * as Logger from "effect/Logger"
import { describe, expect, test, vi } from "vitest"
import {
  makeDecisionRequest,
  AccountTestServer,
  accountKeys
} from "../support/AccountTestServer.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { videoRequest } from "../support/fakeVideoProvider.ts"
import { createHash } from "node:crypto"

const updateSettings = (server: AccountTestServer, changes: Readonly<Record<string, unknown>>) =>
  server.ask("/workspaces/default", "management", "PATCH", changes)

const broadcastSettings = { is_observability_broadcast_enabled: true }
const toKeyHash = (key: keyof typeof accountKeys) =>
  KeyHash.make(createHash("sha256").update(accountKeys[key]).digest("hex"))

const captureIoLog = (entries: Array<IoEntry>) =>
  AccountTestServer.start({ ioLog: (entry) => void entries.push(entry) })

const captureLog = (lines: Array<unknown>, log: boolean) =>
  AccountTestServer.start({
    log,
    telemetry: Logger.layer([
      Logger.map(Logger.formatStructured, (line) => {
        lines.push(line)
      })
    ])
  })

/** Closing an instance waits for broadcasts. */
const closeServer = async (server: AccountTestServer): Promise<void> => {
  await server.instance.close()
}

const operations = [
  ["a decision", "/alpha/decisions", makeDecisionRequest()],
  [
    "a chat",
    "/v1/chat/completions",
    { model: "proof/model", messages: [{ role: "user", content: "Is it urgent?" }] }
  ],
  ["a video", "/v1/videos", videoRequest]
] as const

describe("the broadcast", () => {
  test.each(operations)("receives why no provider could answer %s", async (_, path, request) => {
    const received: Array<GenerationEvent> = []
    await using server = await AccountTestServer.start({
      broadcast: [(generation) => void received.push(generation)]
    })
    await updateSettings(server, broadcastSettings)
    const post = (changes: object) =>
      send(`${server.root}/api${path}`, {
        headers: {
          authorization: `Bearer ${accountKeys.member}`,
          "content-type": "application/json"
        },
        body: JSON.stringify({ ...request, session_id: "s-1", ...changes })
      })
    const ignored = await post({ provider: { ignore: ["first", "studio"] } })
    const unknown = await post({ model: "nobody/knows" })
    expect([ignored.status, unknown.status]).toEqual([404, 400])
    const id = ignored.headers["x-generation-id"] ?? "none"
    const record = await server.ask(`/generation?id=${id}`, "member")
    expect(record.body).toMatchObject({
      data: { id, model: request.model, provider_responses: [] }
    })
    expect(await server.instance.metrics()).toMatch(/requests_total\{.*outcome="NoEndpoints"\} 1/)
    await closeServer(server)
    expect(received).toMatchObject([
      {
        id,
        error: "NoEndpoints",
        requestedModel: request.model,
        session: "s-1",
        attempts: [],
        rejected: [{ rule: "ignore", source: "request" }]
      },
      { error: "ModelNotFound", requestedModel: "nobody/knows", attempts: [], rejected: [] }
    ])
  })

  test("receives every generation, answered or not, as plain JSON", async () => {
    const received: Array<GenerationEvent> = []
    await using server = await AccountTestServer.start({
      broadcast: [(generation) => void received.push(generation)]
    })
    await updateSettings(server, broadcastSettings)
    const trace = { trace_id: "t-1", span_name: "s", customer: { tier: 3 }, constructor: "c" }
    const saying = { session_id: "s-1", user: "u-1", trace }
    const { body } = await server.decide(saying)
    await server.decide({ ...saying, state: "fail" })
    await closeServer(server)
    expect(received).toMatchObject([
      {
        id: getProperty(body, "id"),
        account: "default",
        keyHash: toKeyHash("member"),
        model: "proof/model",
        upstreamModel: "proof/model-2030-01-01",
        cost: 26e-6,
        usage: { inputTokens: 10, outputTokens: 2 },
        attempts: [{ outcome: "served", cost: 26e-6 }],
        session: "s-1",
        user: "mem-1",
        externalUser: "u-1",
        trace,
        metadata: { customer: { tier: 3 }, constructor: "c" }
      },
      { error: "AttemptsFailed", attempts: [{ outcome: "server_error", status: 503 }], trace }
    ])
    expect(JSON.parse(JSON.stringify(received))).toEqual(received)
    expect(Object.keys(received[0]!.metadata)).toEqual(["customer", "constructor"])
    // What a caller says of itself is the host's business, and not the provider's.
    expect(server.calls).toHaveLength(2)
    for (const call of server.calls) {
      expect(JSON.stringify(call)).not.toMatch(/s-1|u-1|t-1|tier/)
    }
  })

  test("receives nothing from callers that did not opt in", async () => {
    const received: Array<string> = []
    await using server = await AccountTestServer.start({
      broadcast: [({ id }) => void received.push(id)],
      workspaceDefaults: { isObservabilityBroadcastEnabled: false }
    })
    await server.decide()
    await expect
      .poll(async () => (await server.instance.health()).queues.broadcast[0]?.waiting)
      .toBe(0)
    await updateSettings(server, broadcastSettings)
    const { body } = await server.decide()
    await server.decide({}, "otherWorkspace")
    await expect.poll(() => received).toHaveLength(1)
    await updateSettings(server, { is_observability_broadcast_enabled: false })
    await server.decide()
    await closeServer(server)
    expect(received).toEqual([getProperty(body, "id")])
  })

  test("delays and breaks no answer, and no other destination", async () => {
    const received: Array<string> = []
    const { promise: stuck, resolve: release } = Promise.withResolvers<void>()
    await using server = await AccountTestServer.start({
      settings: { maxQueuedBroadcasts: 2 },
      telemetry: Logger.layer([]),
      broadcast: [
        () => stuck,
        () => {
          throw new Error("no")
        },
        () => Promise.reject(new Error("no")),
        ({ id }) => void received.push(id)
      ]
    })
    await updateSettings(server, broadcastSettings)
    for (let each = 0; each < 5; each++) {
      expect((await server.decide()).status).toBe(200)
      await expect.poll(() => received).toHaveLength(each + 1)
    }
    await expect
      .poll(async () => (await server.instance.health()).queues.broadcast)
      .toEqual([
        { waiting: 2, dropped: 2, failed: 0 },
        { waiting: 0, dropped: 0, failed: 5 },
        { waiting: 0, dropped: 0, failed: 5 },
        { waiting: 0, dropped: 0, failed: 0 }
      ])
    const metrics = await server.instance.metrics()
    expect(metrics).toContain('signalbox_queue_dropped_total{queue="broadcast_1"} 2\n')
    expect(metrics).toContain('signalbox_queue_failed_total{queue="broadcast_2"} 5\n')
    release()
  })
})

/** A destination that blocks after its first generation until it is released. */
const makeSlowDestination = <A>(received: Array<A>) => {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const tell = async (one: A): Promise<void> => {
    received.push(one)
    await promise
  }
  return { release, tell }
}

describe("a workspace that turns observability off", () => {
  const settings = { maxQueuedBroadcasts: 5, maxIoLogQueueBytes: 2_000 }

  test("crowded one that does out of the broadcast", async () => {
    const received: Array<GenerationEvent> = []
    const { release, tell } = makeSlowDestination(received)
    await using server = await AccountTestServer.start({ settings, broadcast: [tell] })
    await updateSettings(server, broadcastSettings)
    await server.decide()
    for (let each = 0; each < 10; each++) await server.decide({}, "otherWorkspace")
    for (let each = 0; each < 3; each++) await server.decide()
    release()
    await expect.poll(() => received).toHaveLength(4)
    expect((await server.instance.health()).queues.broadcast[0]?.dropped).toBe(0)
  })

  test("had what it asked wait for the log of inputs and outputs, and crowded others out", async () => {
    const entries: Array<IoEntry> = []
    const { release, tell } = makeSlowDestination(entries)
    await using server = await AccountTestServer.start({ settings, ioLog: tell })
    const here = [toKeyNumber(toKeyHash("member"))]
    await updateSettings(server, {
      is_observability_io_logging_enabled: true,
      io_logging_api_key_ids: here
    })
    await server.decide()
    for (let each = 0; each < 10; each++) await server.decide({}, "otherWorkspace")
    expect((await server.instance.health()).queues.io_log.waiting).toBe(0)
    await server.decide()
    release()
    await expect.poll(() => entries).toHaveLength(2)
    expect((await server.instance.health()).queues.io_log.dropped).toBe(0)
  })
})

test("metrics and health named customers' own credentials", async () => {
  await using server = await AccountTestServer.start({
    sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
    credentials: [{ provider: "first", key: "sk-of-a-customer-7a30" }]
  })
  const { body } = await server.ask("/byok", "management")
  const [credential] = getProperty(body, "data") as ReadonlyArray<unknown>
  await server.decide()
  await server.decide({ state: "fail" })
  const received = [
    await server.instance.metrics(),
    JSON.stringify(await server.instance.health())
  ].join("\n")
  expect(received).toContain('signalbox_attempts_total{operation="decisions"')
  expect(received).not.toContain(String(getProperty(credential, "id")))
})

describe("every destination", () => {
  test("could not write what was paid with a customer's own credential as JSON", async () => {
    const received: Array<GenerationEvent> = []
    const entries: Array<IoEntry> = []
    const tell = (generation: GenerationEvent) => void received.push(generation)
    await using server = await AccountTestServer.start({
      broadcast: [tell, tell],
      ioLog: (entry) => void entries.push(entry),
      sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
      credentials: [{ provider: "first", key: "sk-of-a-customer-7a30" }]
    })
    await updateSettings(server, {
      ...broadcastSettings,
      is_observability_io_logging_enabled: true
    })
    const { body } = await server.decide()
    await closeServer(server)
    const generations = [...received, ...entries.map(({ generation }) => generation)]
    expect(generations).toHaveLength(3)
    for (const generation of generations) {
      expect(generation).toMatchObject({
        id: getProperty(body, "id"),
        isByok: true,
        upstreamCost: 26e-6,
        attempts: [{ outcome: "served", isByok: true, upstreamCost: 26e-6 }]
      })
      expect(JSON.parse(JSON.stringify(generation))).toEqual(generation)
    }
    expect(JSON.parse(JSON.stringify(entries))).toEqual(entries)
  })
})

describe("the log of inputs and outputs", () => {
  const logging = { is_observability_io_logging_enabled: true }

  test("gets what was asked and answered, of workspaces that want it", async () => {
    const entries: Array<IoEntry> = []
    await using server = await captureIoLog(entries)
    await server.decide()
    await expect.poll(async () => (await server.instance.health()).queues.io_log.waiting).toBe(0)
    await updateSettings(server, logging)
    const { body } = await server.decide({ state: { ticket: ["again"] } })
    await server.decide({ state: "fail" })
    await server.decide({}, "otherWorkspace")
    await closeServer(server)
    const { questions } = makeDecisionRequest()
    expect(entries).toMatchObject([
      {
        generation: { id: getProperty(body, "id") },
        input: { state: { ticket: ["again"] }, questions },
        output: getProperty(body, "answers")
      },
      { generation: { error: "AttemptsFailed" }, input: { state: "fail", questions } }
    ])
    expect(entries[1]).not.toHaveProperty("output")
  })

  test("kept a streamed answer whole, however long it was", async () => {
    const entries: Array<IoEntry> = []
    await using server = await AccountTestServer.start({
      ioLog: (entry) => void entries.push(entry),
      settings: { maxIoLogStreamCharacters: 200 }
    })
    await updateSettings(server, logging)
    const chat = { model: "proof/model", messages: [{ role: "user", content: "Count." }] }
    await server.ask("/chat/completions", "member", "POST", { ...chat, stream: true })
    await server.ask("/chat/completions", "member", "POST", chat)
    await closeServer(server)
    expect(entries).toMatchObject([
      {
        input: { messages: chat.messages },
        output: [
          {
            message: { role: "assistant", content: expect.stringMatching(/^0 1 2 3 [\d ]{1,90}$/) },
            finish_reason: "stop"
          }
        ],
        isTruncated: true
      },
      { output: [{ message: { content: "It is." } }] }
    ])
    expect(entries[1]).not.toHaveProperty("isTruncated")
  })

  test("gets those of the named keys alone", async () => {
    const entries: Array<IoEntry> = []
    await using server = await captureIoLog(entries)
    const number = toKeyNumber(toKeyHash("member"))
    expect(Number.isSafeInteger(number)).toBe(true)
    await updateSettings(server, { ...logging, io_logging_api_key_ids: [number + 1] })
    await server.decide()
    await expect.poll(async () => (await server.instance.health()).queues.io_log.waiting).toBe(0)
    await updateSettings(server, { io_logging_api_key_ids: [1, number] })
    await server.decide({ state: "this one" })
    await server.instance.decide({
      model: "proof/model",
      state: "of the application itself",
      questions: { urgent: { type: "noul", instructions: "Is it urgent?" } }
    })
    await closeServer(server)
    expect(entries.map(({ input }) => getProperty(input, "state"))).toEqual(["this one"])
  })

  test("gets the share that is asked for", async () => {
    const entries: Array<IoEntry> = []
    await using server = await captureIoLog(entries)
    await updateSettings(server, { ...logging, io_logging_sampling_rate: 0.25 })
    const count = 400
    for (let each = 0; each < count; each++) {
      await server.instance.decide({
        model: "proof/model",
        state: "x",
        questions: { urgent: { type: "noul", instructions: "Is it urgent?" } }
      })
    }
    await closeServer(server)
    // Seven standard deviations around a hundred.
    expect(entries.length).toBeGreaterThan(40)
    expect(entries.length).toBeLessThan(160)
  })

  test("keeps no more waiting than may wait", async () => {
    const entries: Array<IoEntry> = []
    await using server = await AccountTestServer.start({
      settings: { maxIoLogQueueBytes: 1_000 },
      ioLog: (entry) => void entries.push(entry)
    })
    await updateSettings(server, logging)
    await server.decide({ state: "x".repeat(2_000) })
    await server.decide()
    await expect.poll(() => entries).toHaveLength(1)
    expect((await server.instance.health()).queues.io_log).toEqual({
      waiting: 0,
      dropped: 1,
      failed: 0
    })
  })
})

describe("the log", () => {
  test("has a line for each request when that is wanted, without what was asked", async () => {
    const lines: Array<unknown> = []
    await using server = await captureLog(lines, true)
    const { body } = await server.decide({ user: "u-1", session_id: "s-1" })
    await server.decide({ state: "fail" })
    await vi.waitFor(() => expect(lines).toHaveLength(2))
    const path = "/api/alpha/decisions"
    expect(lines).toMatchObject([
      {
        level: "INFO",
        message: "request",
        annotations: {
          method: "POST",
          path,
          status: 200,
          durationMillis: expect.any(Number),
          requestId: expect.stringMatching(/^req-/),
          id: getProperty(body, "id"),
          account: "default",
          operation: "decisions",
          outcome: "answered",
          model: "proof/model",
          upstreamModel: "proof/model-2030-01-01",
          provider: "First",
          attempts: "proof/model@first served",
          inputTokens: 10,
          outputTokens: 2,
          costUsd: 26e-6,
          latencyMillis: expect.any(Number)
        }
      },
      { level: "WARN", annotations: { path, outcome: "AttemptsFailed" } }
    ])
    expect(JSON.stringify(lines)).not.toMatch(/charged|urgent|u-1|s-1/)
  })

  test("has none by default", async () => {
    const lines: Array<unknown> = []
    await using server = await captureLog(lines, false)
    await server.decide()
    expect(lines).toEqual([])
  })
})
