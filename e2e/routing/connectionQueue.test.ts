import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setImmediate } from "node:timers/promises"
import * as Context from "effect/Context"
import * as Logger from "effect/Logger"
import * as Tracer from "effect/Tracer"
import * as Layer from "effect/Layer"
import { openai } from "@signalbox/openai"
import { Health } from "@signalbox/core/adapter"
import { Signalbox } from "@signalbox/node"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { getProperty } from "../../packages/testing/src/getProperty.ts"
import { jumpClocks } from "../support/jumpClock.ts"

const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }
const completion = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "calm" }, finish_reason: "stop" }],
  usage
})
const chunk = (delta: object, finish_reason: string | null) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }], usage })}\n\n`

/** Streams begin and stay open until they are released; whole answers come at once. */
const startProvider = async () => {
  const held: Array<ServerResponse> = []
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => void parts.push(part))
    request.on("end", () => {
      if (!Buffer.concat(parts).toString().includes('"stream":true')) {
        response.writeHead(200, { "content-type": "application/json" }).end(completion)
        return
      }
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write(chunk({ content: "ca" }, null))
      held.push(response)
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    countRequests: () => requests,
    release: () => {
      for (const response of held.splice(0)) {
        response.end(`${chunk({ content: "lm" }, "stop")}data: [DONE]\n\n`)
      }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Exported spans make the client of the platform send the requests. */
const exportingTracer = Layer.succeed(
  Tracer.Tracer,
  Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
)

const start = async (isTraced: boolean, connectionQueueTimeoutMillis: number, timeouts = {}) => {
  const provider = await startProvider()
  const logs: Array<string> = []
  const logging = Logger.layer([
    Logger.make(({ logLevel, message }) => void logs.push(`${logLevel}: ${String(message)}`))
  ])
  const instance = await Signalbox.make({
    upstreams: [openai({ slug: "one", name: "One", baseUrl: provider.url, apiKey: "sk-provider" })],
    models: [
      {
        id: "a/b",
        endpoints: [{ provider: "one", price: { prompt: "0.000001", completion: "0.000001" } }]
      }
    ],
    keys: [
      { key: "sk-manager", kind: "management" },
      { key: "sk-ada", kind: "member", user: "ada", limit: 5 }
    ],
    settings: { maxUpstreamConnections: 2, connectionQueueTimeoutMillis, ...timeouts },
    telemetry: isTraced ? Layer.merge(logging, exportingTracer) : logging
  })
  const send = (path: string, body: object) =>
    instance.fetch(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { authorization: "Bearer sk-ada", "content-type": "application/json" },
        body: JSON.stringify({ model: "a/b", ...body })
      })
    )
  const read = async (path: string): Promise<unknown> => {
    const response = await instance.fetch(
      new Request(`http://localhost/api/v1${path}`, {
        headers: { authorization: "Bearer sk-manager" }
      })
    )
    return response.json()
  }
  const messages = [{ role: "user", content: "hello" }]
  return {
    provider,
    health: Context.get(instance.context, Health),
    logs,
    readMetrics: () => instance.metrics(),
    read,
    send,
    messages,
    /** Takes every connection with a stream that has begun and does not end. */
    occupy: () =>
      Promise.all(
        [0, 1].map(async () => {
          const response = await send("/api/v1/chat/completions", { stream: true, messages })
          expect(response.status).toBe(200)
          return response
        })
      ),
    close: async () => {
      provider.release()
      await instance.close()
      provider.close()
    }
  }
}

describe.each([false, true])("while every connection is in use, spans exported: %s", (isTraced) => {
  let running: Awaited<ReturnType<typeof start>>
  let streams: ReadonlyArray<Response>
  beforeAll(async () => {
    running = await start(isTraced, 100)
    streams = await running.occupy()
  })
  afterAll(() => running.close())

  test.for<[string, string, object]>([
    ["a chat", "/api/v1/chat/completions", { messages: [{ role: "user", content: "hello" }] }],
    [
      "a streamed chat",
      "/api/v1/chat/completions",
      { stream: true, messages: [{ role: "user", content: "hello" }] }
    ],
    [
      "a message",
      "/api/v1/messages",
      { max_tokens: 9, messages: [{ role: "user", content: "hello" }] }
    ],
    ["a response", "/api/v1/responses", { input: "hello" }],
    [
      "a Decision",
      "/api/alpha/decisions",
      { state: "hello", questions: { calm: { type: "noul", instructions: "Is it calm?" } } }
    ]
  ])("%s that waited for one is a 503, not a 524", async ([, path, body]) => {
    const before = running.provider.countRequests()
    const response = await running.send(path, body)
    expect(await response.text()).toContain("Every connection to One is in use")
    expect(response.status).toBe(503)
    expect(response.headers.get("retry-after")).toBe("1")
    expect(running.provider.countRequests()).toBe(before)
  })

  test("the log says once which setting allows more connections", () => {
    expect(running.logs.filter((line) => line.includes("connection"))).toEqual([
      expect.stringMatching(/^Warn: .*"one": all 2 are in use; settings\.maxUpstreamConnections/)
    ])
  })

  test("the endpoint has no failure, and nothing was charged", async () => {
    expect(await running.read("/signalbox/endpoints")).toMatchObject({
      data: { endpoints: [{ provider: "one", failures: {}, breaker: { state: "closed" } }] }
    })
    running.provider.release()
    await Promise.all(streams.map((stream) => stream.text()))
    const listed = getProperty(await running.read("/signalbox/generations"), "data")
    const costs = (Array.isArray(listed) ? (listed as ReadonlyArray<unknown>) : []).map((record) =>
      Number(getProperty(record, "cost") ?? 0)
    )
    expect(costs.filter((cost) => cost > 0)).toHaveLength(2)
    const after = await running.send("/api/v1/chat/completions", { messages: running.messages })
    expect(after.status).toBe(200)
  })
})

const hourMillis = 3_600_000
const day = 24 * hourMillis

describe.each([false, true])("once a stream ends, spans exported: %s", (isTraced) => {
  test.for<[string, string, object]>([
    ["chat", "/api/v1/chat/completions", { messages: [{ role: "user", content: "hello" }] }],
    [
      "streamed chat",
      "/api/v1/chat/completions",
      { stream: true, messages: [{ role: "user", content: "hello" }] }
    ],
    [
      "message",
      "/api/v1/messages",
      { max_tokens: 9, messages: [{ role: "user", content: "hello" }] }
    ]
  ])(
    "a %s that waited is answered, and its wait is not the provider's latency",
    async ([, path, body]) => {
      const running = await start(isTraced, 60_000, {
        totalTimeoutMillis: day,
        chatTimeoutMillis: day,
        headersTimeoutMillis: day,
        firstEventTimeoutMillis: day,
        reservationLeaseMillis: 2 * day
      })
      onTestFinished(() => running.close())
      const getHealth = () => running.health.snapshot(["a/b@one"], true).endpoints["a/b@one"]
      const streams = await running.occupy()
      const answering = running.send(path, body).then(async (response) => {
        const text = response.text()
        if (response.status === 200) running.provider.release()
        return { status: response.status, text: await text }
      })
      await vi.waitFor(() => expect(getHealth()?.inFlight).toBe(3))
      // It is sent, if it can be, a few turns after it is counted.
      for (let turn = 0; turn < 100; turn++) await setImmediate()
      expect(running.provider.countRequests()).toBe(2)
      const waits = 'signalbox_connection_waits{provider="one"}'
      expect(await running.readMetrics()).toContain(`${waits} 1`)
      jumpClocks(hourMillis)
      running.provider.release()
      const answer = await answering
      expect(answer).toMatchObject({ status: 200 })
      await Promise.all(streams.map((stream) => stream.text()))
      expect(await running.readMetrics()).toContain(`${waits} 0`)

      // Its histogram ends at ten minutes.
      expect(getHealth()?.latency?.p99).toBeLessThan(500_000)
      const listed = getProperty(await running.read("/signalbox/generations"), "data")
      const ids = (Array.isArray(listed) ? (listed as ReadonlyArray<unknown>) : []).map((record) =>
        String(getProperty(record, "id"))
      )
      const waited = []
      for (const id of ids) {
        const record = getProperty(await running.read(`/signalbox/generations/${id}`), "data")
        const attempts = getProperty(record, "attempts")
        const [attempt] = Array.isArray(attempts) ? (attempts as ReadonlyArray<unknown>) : []
        if (Number(getProperty(attempt, "connection_wait")) > 0) waited.push({ record, attempt })
      }
      expect(waited).toHaveLength(1)
      const [{ attempt, record } = {}] = waited
      expect(Number(getProperty(attempt, "connection_wait"))).toBeGreaterThanOrEqual(hourMillis)
      expect(Number(getProperty(attempt, "latency"))).toBeLessThan(hourMillis)
      expect(Number(getProperty(attempt, "time_to_first_token"))).toBeLessThan(hourMillis)
      // The caller did wait.
      expect(Number(getProperty(record, "latency"))).toBeGreaterThanOrEqual(hourMillis)
    }
  )
})
