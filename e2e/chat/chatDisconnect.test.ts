import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { findCredits } from "../support/findCredits.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { keys, TestServer } from "../support/TestServer.ts"
import { decisionMethods } from "../support/decisionMethods.ts"

const hosts = pickHosts(import.meta.filename)

const disconnectingClients = 20

const body = JSON.stringify({
  model: "proof/model",
  messages: [{ role: "user", content: "Is it calm at sea?" }],
  max_tokens: 100,
  provider: { only: ["first"] },
  stream: true
})

/** Disconnects after two chunks and returns the generation id. */
const readAndDisconnect = async ({ root }: TestServer): Promise<string> => {
  const controller = new AbortController()
  const response = await fetch(`${root}/api/v1/chat/completions`, {
    method: "POST",
    body,
    headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" },
    signal: controller.signal
  })
  let text = ""
  const decoder = new TextDecoder()
  const reader = response.body!.getReader()
  while (!text.includes("is ")) {
    const { done, value } = await reader.read()
    if (done) throw new Error("the stream ended")
    text += decoder.decode(value, { stream: true })
  }
  controller.abort()
  return response.headers.get("x-generation-id") ?? ""
}

describe.each(hosts)("callers who disconnect during a chat, behind $name", (host) => {
  test("abort the provider calls and pay for the chunks they received", async () => {
    await using server = await TestServer.start({
      host,
      method: decisionMethods[1]!,
      price: { prompt: "0.000001", completion: "0.000002" },
      credits: { default: "1000" }
    })
    const { first } = server.upstreams
    first.always(reply.chat(["It ", "is ", first.gate(), "calm."]))
    const ids = await Promise.all(
      Array.from({ length: disconnectingClients }, () => readAndDisconnect(server))
    )
    await first.waitForAborts(disconnectingClients)
    expect(server.calls).toEqual({ first: disconnectingClients, second: 0 })
    // Estimates: four bytes per prompt token, one token per chunk.
    const usage = { inputTokens: Math.ceil(Buffer.byteLength(body) / 4), outputTokens: 2 }
    const cost = BigInt(usage.inputTokens * 1_000 + usage.outputTokens * 2_000)
    for (const id of ids) {
      await expect
        .poll(() => server.generation(id))
        .toMatchObject({ usage, cost, attempts: [{ outcome: "interrupted", usage, cost }] })
    }
    const credits = await findCredits(server.instance)
    expect(credits).toMatchObject({ settled: cost * BigInt(disconnectingClients), reserved: 0n })
    // They say how soon the provider began, and neither that it works nor that it fails.
    expect(Object.values((await server.instance.health()).endpoints)).toMatchObject([
      { samples: 0, errors: {}, breaker: { state: "closed" } }
    ])
    expect(server.logs).toEqual([])
  })
})
