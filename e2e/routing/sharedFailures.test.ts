/** Processes on one Postgres warn each other of a provider that fails. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { postgres } from "@signalbox/sql"
import { expect, inject, onTestFinished, test } from "vitest"

const startFailingProvider = async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.writeHead(500, { "content-type": "application/json" }).end("{}")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, countRequests: () => requests }
}

test("a process that never called a failing provider knows of it", async () => {
  const provider = await startFailingProvider()
  const schema = `shared-${crypto.randomUUID()}`
  const start = async () => {
    const instance = await Signalbox.make({
      stores: postgres({ url: inject("postgresUrl"), schema, maxConnections: 2 }),
      upstreams: [
        openai({ slug: "one", name: "One", baseUrl: provider.baseUrl, apiKey: "sk-provider" })
      ],
      models: [{ id: "a/b", endpoints: [{ provider: "one", contextLength: 8_192 }] }]
    })
    onTestFinished(() => instance.close())
    return instance
  }
  const processes = [await start(), await start(), await start()]
  const [first, second, third] = processes
  /** Messages are lost until all listen, so the failures go on. */
  const failEverywhere = async () => {
    for (const process of [first, second]) {
      const chat = { model: "a/b", messages: [{ role: "user" as const, content: "hello" }] }
      await process?.chat(chat).catch(() => undefined)
    }
    const outage = (await third?.health())?.endpoints["a/b@one"]?.outage
    return outage?.processes ?? 0
  }
  await expect.poll(failEverywhere, { timeout: 240_000, interval: 50 }).toBe(2)
  const explained = await third?.explain({
    model: "a/b",
    messages: [{ role: "user", content: "hello" }]
  })
  expect(explained?.ordered).toMatchObject([
    { demoted: [{ rule: "outage", found: expect.stringMatching(/failed, in 2 processes$/) }] }
  ])
})
