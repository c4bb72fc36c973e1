/** Starts an instance in a `node:http` server, with one scripted chat upstream. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { SettingsShape } from "@signalbox/core"
import type { ChatCapability, ChatEvent } from "@signalbox/core/upstream"
import { Signalbox, signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import { onTestFinished } from "vitest"

export const key = "sk-test-member"

export const chatRequest = (rest: object = {}): string =>
  JSON.stringify({
    model: "test/model",
    messages: [{ role: "user", content: "hello" }],
    ...rest
  })

export const makeDelta = (text: string, reason?: string): ChatEvent => ({
  type: "delta",
  choices: [
    {
      index: 0,
      events: [{ type: "text", text }],
      ...(reason === undefined ? undefined : { end: { reason } })
    }
  ]
})

export const end: ChatEvent = { type: "end", usage: { inputTokens: 3, outputTokens: 2 } }

export const startChatInstance = async (
  stream: ChatCapability["stream"],
  settings: Partial<SettingsShape> = {}
) => {
  const instance = await Signalbox.make({
    upstreams: [
      {
        slug: "one",
        name: "One",
        chat: {
          estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 10 }),
          complete: () =>
            Effect.succeed({
              choices: [
                {
                  index: 0,
                  answer: {
                    parts: [{ type: "text", text: "hello back" }],
                    end: { reason: "stop" }
                  }
                }
              ],
              usage: { inputTokens: 3, outputTokens: 2 }
            }),
          stream
        }
      }
    ],
    models: [
      {
        id: "test/model",
        endpoints: [{ provider: "one", price: { prompt: "0.001", completion: "0.002" } }]
      }
    ],
    keys: [{ key, kind: "member", user: "ada" }],
    settings: { drainTimeoutMillis: 600_000, ...settings }
  })
  const ours = signalbox(instance)
  const server = createServer((request, response) => {
    ours(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await instance.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = (body: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/api/v1/chat/completions`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...init
    })
  return { instance, ask, port }
}
