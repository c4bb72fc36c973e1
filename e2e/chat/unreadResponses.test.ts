import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { openai } from "@signalbox/openai"
import { Signalbox } from "@signalbox/node"
import { expect, test } from "vitest"
import { nodeHost } from "../support/hosts.ts"

const piece = `data: ${JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta: { content: "x".repeat(60_000) }, finish_reason: null }]
})}\n\n`

/** A provider that writes as long as its client reads, or writes little and stalls. */
const startEndlessProvider = async (isStalling: boolean) => {
  let isClosed = false
  const write = (response: ServerResponse): void => {
    while (!response.destroyed) {
      if (!response.write(piece)) return void response.once("drain", () => write(response))
    }
  }
  const server = createServer((request: IncomingMessage, response) => {
    request.resume()
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.once("close", () => void (isClosed = true))
    if (isStalling) response.write(piece.replace(/x+/, "Yes."))
    else write(response)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, isClosed: () => isClosed, server }
}

const startInstance = async ({ isStalling = false } = {}) => {
  const provider = await startEndlessProvider(isStalling)
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
    settings: {
      unreadResponseTimeoutMillis: 400,
      maxUpstreamConnections: 1,
      streamIdleTimeoutMillis: 3_600_000
    }
  })
  return {
    provider,
    instance,
    [Symbol.asyncDispose]: async () => {
      await instance.close()
      provider.server.closeAllConnections()
      provider.server.close()
    }
  }
}

/** The record of the only request, with its attempts; empty until it is there. */
const readRecord = async (instance: Instance): Promise<string> => {
  const read = async (path: string): Promise<string> => {
    const response = await instance.fetch(
      new Request(`http://localhost/api/v1/signalbox/generations${path}`, {
        headers: { authorization: "Bearer sk-manager" }
      })
    )
    return response.text()
  }
  const id = /gen-[\w-]+/.exec(await read(""))?.[0]
  return id === undefined ? "" : read(`/${id}`)
}

type Instance = Awaited<ReturnType<typeof Signalbox.make>>

const body = JSON.stringify({
  model: "a/b",
  stream: true,
  max_tokens: 1_000,
  messages: [{ role: "user", content: "hello" }]
})

test("a stream that its client never reads ends, frees the provider's connection, and says why in its record", async () => {
  await using running = await startInstance()
  const host = await nodeHost.start(running.instance, "")
  try {
    const client = connect(Number(new URL(host.origin).port), "127.0.0.1")
    client.pause()
    client.write(
      "POST /api/v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer sk-ada\r\n" +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    )
    await expect.poll(running.provider.isClosed, { timeout: 240_000 }).toBe(true)
    await expect
      .poll(() => readRecord(running.instance), { timeout: 240_000 })
      .toContain('"outcome":"unread"')
    expect(await readRecord(running.instance)).toMatch(/"cost":0\.00[1-9]/)
    client.destroy()
  } finally {
    await host.close()
  }
}, 90_000)

test("a web-standard response of which nothing is ever read ends, however little it has", async () => {
  await using running = await startInstance({ isStalling: true })
  const response = await running.instance.fetch(
    new Request("http://localhost/api/v1/chat/completions", {
      method: "POST",
      headers: { authorization: "Bearer sk-ada", "content-type": "application/json" },
      body
    })
  )
  expect(response.status).toBe(200)
  await expect.poll(running.provider.isClosed, { timeout: 240_000 }).toBe(true)
  await expect(response.text()).rejects.toThrow(Error)
}, 90_000)

test("a web-standard response whose body is read no further ends", async () => {
  await using running = await startInstance()
  const response = await running.instance.fetch(
    new Request("http://localhost/api/v1/chat/completions", {
      method: "POST",
      headers: { authorization: "Bearer sk-ada", "content-type": "application/json" },
      body
    })
  )
  const reader = response.body!.getReader()
  await reader.read()
  await expect.poll(running.provider.isClosed, { timeout: 240_000 }).toBe(true)
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })()
  ).rejects.toThrow(Error)
}, 90_000)
